//! Programs as text, to be read by people.

use std::collections::BTreeMap;
use std::fmt;

use crate::ir::{
    Access, Binary, Block, Combine, Compare, Expr, Function, FunctionId, LentArray, Local, Program,
    Stmt, Type, Unary,
};

impl fmt::Display for Program {
    /// The program in a notation like that of Rust: arrays first, then functions. Variables are `n`
    /// or `s` (numbers or sets) with their numbers. Names that are not unique have a number after
    /// them. Functions that do nothing are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::new(self);
        writeln!(f, "sets of {} words", self.words)?;
        for (name, lent) in names.ints.iter().zip(&self.ints) {
            writeln!(f, "{name}: [int{}]{}", at_least(lent), written(lent.access))?;
        }
        for (name, lent) in names.sets.iter().zip(&self.sets) {
            writeln!(f, "{name}: [set{}]{}", at_least(lent), written(lent.access))?;
        }
        for (number, table) in self.tables.iter().enumerate() {
            writeln!(f, "table{number}: {} constant ints", table.len())?;
        }
        for (number, table) in self.set_tables.iter().enumerate() {
            let sets = table.len() / self.words.max(1);
            writeln!(f, "sets{number}: {sets} constant sets")?;
        }
        for (name, (_, arguments)) in names.hosts.iter().zip(&self.hosts) {
            writeln!(f, "host::{name}: {arguments} arguments")?;
        }
        let functions = self.functions.iter().enumerate();
        for (number, function) in functions.filter(|(_, function)| !function.body.is_empty()) {
            writeln!(f)?;
            let printer = Printer { names: &names, function };
            printer.function(&names.functions[number], f)?;
        }
        Ok(())
    }
}

fn at_least(lent: &LentArray) -> String {
    match lent.least {
        0 => String::new(),
        least => format!("; {least} or more"),
    }
}

fn written(access: Access) -> &'static str {
    match access {
        Access::Read => "",
        Access::Write => ", written",
    }
}

/// The names of things in print.
struct Names {
    ints: Vec<String>,
    sets: Vec<String>,
    hosts: Vec<String>,
    functions: Vec<String>,
}

impl Names {
    fn new(program: &Program) -> Names {
        // Arrays of both kinds look alike where they are used.
        let arrays = program.ints.iter().chain(&program.sets).map(|lent| lent.name.as_str());
        let mut ints = distinct(arrays);
        let sets = ints.split_off(program.ints.len());
        Names {
            ints,
            sets,
            hosts: distinct(program.hosts.iter().map(|(name, _)| name.as_str())),
            functions: distinct(program.functions.iter().map(|function| function.name.as_str())),
        }
    }
}

/// Names of letters, digits and underscores, with their numbers where they are not unique.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let names: Vec<String> = names.map(|name| name.chars().map(plain).collect()).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &names {
        *times.entry(name).or_default() += 1;
    }
    let numbered = names.iter().enumerate().map(|(number, name)| match times[name.as_str()] {
        1 if !name.is_empty() => name.clone(),
        _ => format!("{name}.{number}"),
    });
    numbered.collect()
}

struct Printer<'a> {
    names: &'a Names,
    function: &'a Function,
}

/// An expression within another one, in brackets where it needs them.
struct Operand<'a>(&'a Printer<'a>, &'a Expr, usize);

/// An expression by itself.
struct Whole<'a>(&'a Printer<'a>, &'a Expr, usize);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand(printer, expr, indent) = self;
        let infix = match expr {
            Expr::Binary(Binary::Min | Binary::Max, ..) => false,
            Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Both(..)
            | Expr::Either(..)
            | Expr::Combine(..) => true,
            Expr::Int(number) => *number < 0,
            _ => false,
        };
        if infix {
            write!(f, "(")?;
        }
        printer.expr(expr, *indent, f)?;
        if infix { write!(f, ")") } else { Ok(()) }
    }
}

impl fmt::Display for Whole<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expr(self.1, self.2, f)
    }
}

impl Printer<'_> {
    fn function(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Function { locals, params, result, body, .. } = self.function;
        let declare = |number: usize| {
            let of = match locals[number] {
                Type::Int => "int",
                Type::Set => "set",
            };
            format!("{}: {of}", self.local(Local(number as u32)))
        };
        let list =
            |numbers: std::ops::Range<usize>| numbers.map(declare).collect::<Vec<_>>().join(", ");
        let params = *params.min(&locals.len());
        write!(f, "fn {name}({})", list(0..params))?;
        match result {
            Some(Type::Int) => write!(f, " -> int")?,
            Some(Type::Set) => write!(f, " -> set")?,
            None => (),
        }
        writeln!(f, " {{")?;
        if params < locals.len() {
            writeln!(f, "    let {}", list(params..locals.len()))?;
        }
        self.block(body, 1, f)?;
        writeln!(f, "}}")
    }

    fn local(&self, local: Local) -> String {
        match self.function.locals.get(local.0 as usize) {
            Some(Type::Int) => format!("n{}", local.0),
            Some(Type::Set) => format!("s{}", local.0),
            None => format!("?{}", local.0),
        }
    }

    fn block(&self, block: &Block, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block.iter().try_for_each(|statement| {
            write!(f, "{:1$}", "", 4 * indent)?;
            self.statement(statement, indent, f)?;
            writeln!(f)
        })
    }

    /// A block in braces, whose last line has no end yet.
    fn braces(&self, block: &Block, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if block.is_empty() {
            return write!(f, "{{}}");
        }
        writeln!(f, "{{")?;
        self.block(block, indent + 1, f)?;
        write!(f, "{:1$}}}", "", 4 * indent)
    }

    fn statement(&self, stmt: &Stmt, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |expr| Whole(self, expr, indent);
        match stmt {
            Stmt::Set(local, value) => write!(f, "{} = {}", self.local(*local), whole(value)),
            Stmt::Store(array, index, value) => {
                let array = name(&self.names.ints, array.0);
                write!(f, "{array}[{}] = {}", whole(index), whole(value))
            }
            Stmt::StoreSet(array, index, value) => {
                let array = name(&self.names.sets, array.0);
                write!(f, "{array}[{}] = {}", whole(index), whole(value))
            }
            Stmt::Clear(array, entries) => {
                write!(f, "{}[0..{entries}] = 0", name(&self.names.ints, array.0))
            }
            Stmt::CopyInts(to, from, entries) => {
                let [to, from] = [to, from].map(|array| name(&self.names.ints, array.0));
                write!(f, "{to}[0..{entries}] = {from}[0..{entries}]")
            }
            Stmt::CopySets(to, from, entries) => {
                let [to, from] = [to, from].map(|array| name(&self.names.sets, array.0));
                write!(f, "{to}[0..{entries}] = {from}[0..{entries}]")
            }
            Stmt::Put(array, index, site, there) => {
                let (array, sign) =
                    (name(&self.names.sets, array.0), if *there { '+' } else { '-' });
                write!(f, "{array}[{}] {sign}= {}", whole(index), whole(site))
            }
            Stmt::Eval(value) => write!(f, "_ = {}", whole(value)),
            Stmt::Call(function, arguments) => self.call(*function, arguments, indent, f),
            Stmt::If(condition, then, otherwise) => {
                write!(f, "if {} ", whole(condition))?;
                self.braces(then, indent, f)?;
                if otherwise.is_empty() {
                    return Ok(());
                }
                write!(f, " else ")?;
                match otherwise.as_slice() {
                    [elsewhere @ Stmt::If(..)] => self.statement(elsewhere, indent, f),
                    _ => self.braces(otherwise, indent, f),
                }
            }
            Stmt::ForEach(local, set, block) => {
                write!(f, "for {} in {} ", self.local(*local), whole(set))?;
                self.braces(block, indent, f)
            }
            Stmt::For(local, from, to, block) => {
                let (from, to) = (Operand(self, from, indent), Operand(self, to, indent));
                write!(f, "for {} in {from}..{to} ", self.local(*local))?;
                self.braces(block, indent, f)
            }
            Stmt::While(condition, block) => {
                write!(f, "while {} ", whole(condition))?;
                self.braces(block, indent, f)
            }
            Stmt::Blocks(blocks) => {
                writeln!(f, "blocks {{")?;
                for (number, block) in blocks.iter().enumerate() {
                    write!(f, "{:1$}{number}: ", "", 4 * (indent + 1))?;
                    self.braces(block, indent + 1, f)?;
                    writeln!(f)?;
                }
                write!(f, "{:1$}}}", "", 4 * indent)
            }
            Stmt::Go(number) => write!(f, "go {number}"),
            Stmt::Break(1) => write!(f, "break"),
            Stmt::Break(loops) => write!(f, "break {loops}"),
            Stmt::Return(None) => write!(f, "return"),
            Stmt::Return(Some(value)) => write!(f, "return {}", whole(value)),
        }
    }

    fn expr(&self, expr: &Expr, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operand = |expr| Operand(self, expr, indent);
        let whole = |expr| Whole(self, expr, indent);
        let infix = |first, sign, second, f: &mut fmt::Formatter<'_>| {
            write!(f, "{} {sign} {}", operand(first), operand(second))
        };
        match expr {
            Expr::Int(number) => write!(f, "{number}"),
            Expr::Get(local) => write!(f, "{}", self.local(*local)),
            Expr::Load(array, index) => {
                write!(f, "{}[{}]", name(&self.names.ints, array.0), whole(index))
            }
            Expr::LoadSet(array, index) => {
                write!(f, "{}[{}]", name(&self.names.sets, array.0), whole(index))
            }
            Expr::Table(table, index) => write!(f, "table{}[{}]", table.0, whole(index)),
            Expr::SetTable(table, index) => write!(f, "sets{}[{}]", table.0, whole(index)),
            Expr::Unary(Unary::Neg, value) => write!(f, "-{}", operand(value)),
            Expr::Unary(Unary::IsZero, value) => write!(f, "!{}", operand(value)),
            Expr::Unary(Unary::Abs, value) => write!(f, "abs({})", whole(value)),
            Expr::Binary(Binary::Min, a, b) => write!(f, "min({}, {})", whole(a), whole(b)),
            Expr::Binary(Binary::Max, a, b) => write!(f, "max({}, {})", whole(a), whole(b)),
            Expr::Binary(operation, first, second) => infix(first, sign(*operation), second, f),
            Expr::Compare(comparison, first, second) => {
                let sign = match comparison {
                    Compare::Equal => "==",
                    Compare::NotEqual => "!=",
                    Compare::Less => "<",
                    Compare::LessEqual => "<=",
                    Compare::Greater => ">",
                    Compare::GreaterEqual => ">=",
                };
                infix(first, sign, second, f)
            }
            Expr::Both(first, second) => infix(first, "&&", second, f),
            Expr::Either(first, second) => infix(first, "||", second, f),
            Expr::Choose(condition, then, otherwise) => {
                let (then, otherwise) = (whole(then), whole(otherwise));
                write!(f, "if {} {{ {then} }} else {{ {otherwise} }}", whole(condition))
            }
            Expr::After(block, value) => {
                writeln!(f, "{{")?;
                self.block(block, indent + 1, f)?;
                writeln!(f, "{:1$}{2}", "", 4 * (indent + 1), Whole(self, value, indent + 1))?;
                write!(f, "{:1$}}}", "", 4 * indent)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments, indent, f),
            Expr::Host(function, arguments) => {
                write!(f, "host::{}", name(&self.names.hosts, function.0))?;
                self.arguments(arguments, indent, f)
            }
            Expr::Last(set) => write!(f, "{}.last()", operand(set)),
            Expr::Len(set) => write!(f, "{}.len()", operand(set)),
            Expr::IsEmpty(set) => write!(f, "{}.is_empty()", operand(set)),
            Expr::Contains(set, site) => write!(f, "{}.contains({})", operand(set), whole(site)),
            Expr::Nth(set, rank) => write!(f, "{}.nth({})", operand(set), whole(rank)),
            Expr::IsSubset(first, second) => {
                write!(f, "{}.is_subset({})", operand(first), whole(second))
            }
            Expr::Draw(array, end) => {
                write!(f, "draw({}, {})", name(&self.names.sets, array.0), whole(end))
            }
            Expr::NoSites => write!(f, "none"),
            Expr::Single(site) => write!(f, "one({})", whole(site)),
            Expr::Shift(set, by) => write!(f, "{}.shift({by})", operand(set)),
            Expr::Combine(combine, first, second) => {
                let sign = match combine {
                    Combine::And => "&",
                    Combine::Or => "|",
                    Combine::Xor => "^",
                    Combine::Without => "\\",
                };
                infix(first, sign, second, f)
            }
        }
    }

    fn call(
        &self,
        function: FunctionId,
        arguments: &[Expr],
        indent: usize,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(f, "{}", name(&self.names.functions, function.0))?;
        self.arguments(arguments, indent, f)
    }

    fn arguments(
        &self,
        arguments: &[Expr],
        indent: usize,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(f, "(")?;
        for (number, argument) in arguments.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Whole(self, argument, indent))?;
        }
        write!(f, ")")
    }
}

/// The name of a thing that may be missing: programs are printed before they are checked, too.
fn name(names: &[String], number: u32) -> &str {
    names.get(number as usize).map_or("?", String::as_str)
}

fn sign(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Rem => "%",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Shl => "<<",
        Binary::Shr => ">>>",
        Binary::Min => "min",
        Binary::Max => "max",
    }
}
