//! Names of agents and their parameters.

use agents::{AGENTS, AgentKind, by_name, parameters};

fn error(text: &str) -> String {
    match by_name(text) {
        Ok(agent) => panic!("{text} is {}", agent.name()),
        Err(error) => error,
    }
}

#[test]
fn every_agent_is_there_under_its_name() {
    for kind in AGENTS {
        assert_eq!(by_name(kind.name).unwrap().name(), kind.name);
        assert!(!kind.about.is_empty());
    }
    assert_eq!(by_name("uct:c=0.5").unwrap().name(), "uct:c=0.5");
}

#[test]
fn errors_say_what_is_wrong_and_what_would_be_right() {
    let names: Vec<&str> = AGENTS.iter().map(|kind| kind.name).collect();
    let all = format!("did you mean `uct`? (there are {})", names.join(", "));
    assert!(error("utc").ends_with(&all), "{}", error("utc"));
    assert!(error("uct:c").contains("key=value"));
    assert!(error("uct:c=much").contains("from 0 to 100"));
    assert!(error("uct:c=-1").contains("from 0 to 100"));
    assert!(error("uct:d=1").contains("it has c, plies"));
    assert!(error("uct:plis=1").ends_with("did you mean `plies`?"));
    assert!(error("uct:c=1,c=2").contains("twice"));
    assert!(error("flat:share=odd").contains("even or ucb1"));
    assert!(error("random:c=1").contains("it has none"));
}

#[test]
fn parameters_say_what_they_are_and_may_be() {
    let all = parameters("uct").unwrap();
    let c = all.iter().find(|parameter| parameter.key == "c").unwrap();
    assert_eq!((c.default.as_str(), c.values.as_str()), ("0.7", "0 to 100"));
    for &AgentKind { name, .. } in AGENTS {
        for parameter in parameters(name).unwrap() {
            // What is said to be the default can be given.
            by_name(&format!("{name}:{}={}", parameter.key, parameter.default)).unwrap();
        }
    }
    assert!(parameters("utc").is_err());
}
