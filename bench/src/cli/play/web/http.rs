//! As much of HTTP as a page on this machine needs: one request a connection, all within bounds.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of the head of a request: browsers send cookies of other servers of this machine along.
const MOST_HEAD: usize = 64 << 10;
/// Headers of a request.
const MOST_HEADERS: usize = 100;
/// Bytes of the body of a request: what a person says.
const MOST_BODY: usize = 4 << 10;
/// The time in which a request must be there, and an answer be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path and the query of its address.
    pub(super) target: String,
    /// The host that the browser asks for.
    pub(super) host: Option<String>,
    /// The page that the request comes from, where the browser says so.
    pub(super) origin: Option<String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The path of the address.
    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A number of the query.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let (_, query) = self.target.split_once('?')?;
        let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
        value.parse().ok()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Its media type.
    pub(super) kind: &'static str,
    pub(super) body: Vec<u8>,
    /// Headers besides those that all answers have.
    pub(super) headers: Vec<(&'static str, String)>,
}

impl Answer {
    /// An answer in words.
    pub(super) fn text(status: u16, text: &str) -> Answer {
        let body = format!("{text}\n").into_bytes();
        Answer { status, kind: "text/plain; charset=utf-8", body, headers: Vec::new() }
    }
}

/// Reads a request; the error is the answer to what is none, or `None` if nobody waits for it.
pub(super) fn read(stream: &mut TcpStream) -> Result<Request, Option<Answer>> {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    let (mut request, head, length) = loop {
        if let Some(read) = parse(&bytes)? {
            break read;
        }
        if bytes.len() >= MOST_HEAD {
            return Err(Some(Answer::text(431, "the head of the request is too long")));
        }
        more(stream, &mut bytes, begun)?;
    };
    if length > MOST_BODY {
        return Err(Some(Answer::text(413, "the request is too long")));
    }
    while bytes.len() < head + length {
        more(stream, &mut bytes, begun)?;
    }
    request.body = bytes[head..head + length].to_vec();
    Ok(request)
}

/// Reads on; an error where the other side has left or takes too long.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, begun: Instant) -> Result<(), Option<Answer>> {
    let left = PATIENCE.checked_sub(begun.elapsed()).filter(|left| !left.is_zero());
    let mut part = [0; 4096];
    let read =
        stream.set_read_timeout(Some(left.ok_or(None)?)).and_then(|()| stream.read(&mut part));
    match read {
        Ok(length) if length > 0 => bytes.extend_from_slice(&part[..length]),
        _ => return Err(None),
    }
    Ok(())
}

/// The request that begins with these bytes, the length of its head, and that of its body; `None`
/// if more has to be read.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Option<Answer>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let status = head.parse(bytes);
    let status = status.map_err(|error| Some(Answer::text(400, &format!("no HTTP: {error}"))))?;
    let httparse::Status::Complete(length) = status else { return Ok(None) };
    let mut request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        target: head.path.unwrap_or_default().to_owned(),
        ..Request::default()
    };
    let mut body = 0;
    for header in head.headers.iter() {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        match header.name.to_ascii_lowercase().as_str() {
            "host" => request.host = Some(value),
            "origin" => request.origin = Some(value),
            "content-length" => {
                let wrong = |_| Some(Answer::text(400, "the length of the request is no number"));
                body = value.parse().map_err(wrong)?;
            }
            "transfer-encoding" => {
                return Err(Some(Answer::text(501, "requests have a length here")));
            }
            _ => {}
        }
    }
    Ok(Some((request, length, body)))
}

/// Writes an answer. If that fails, there is nobody left to tell.
pub(super) fn write(stream: &mut TcpStream, answer: &Answer) {
    let mut head = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\n",
        answer.status,
        reason(answer.status),
        answer.kind,
        answer.body.len()
    );
    for (name, value) in &answer.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(&answer.body);
    let _ = stream.set_write_timeout(Some(PATIENCE)).and_then(|()| stream.write_all(&bytes));
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_to_their_end_and_no_further() {
        let text = "POST /t/say?seat=1&ply=12 HTTP/1.1\r\nHOST: a:1\r\nOrigin: http://a:1\r\n\
                    Content-Length: 2\r\n\r\nb2";
        assert!(parse(&text.as_bytes()[..40]).unwrap().is_none());
        let (request, head, body) = parse(text.as_bytes()).unwrap().expect("it is whole");
        assert_eq!((request.path(), head + body), ("/t/say", text.len()));
        assert_eq!((request.number("ply"), request.number("pl")), (Some(12), None));
        assert_eq!(request.host.as_deref(), Some("a:1"));
        assert_eq!(request.origin.as_deref(), Some("http://a:1"));
    }

    #[test]
    fn what_is_no_request_has_an_answer() {
        for (text, status) in [
            ("\u{1}\u{2}\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ] {
            let answer = parse(text.as_bytes()).unwrap_err().expect("somebody waits");
            assert_eq!(answer.status, status, "{text:?}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MOST_HEADERS + 1));
        assert_eq!(parse(many.as_bytes()).unwrap_err().expect("somebody waits").status, 400);
    }
}
