//! Ruby's Regexps narrowed: the vectors in `test/vectors/regexps.json`, bounds, and many at once.
//! That Ruby says the same is checked by `test/regexp_soundness_test.rb`.

use std::error::Error;
use std::fmt::Write;

use ask_permissions_core::regexp::{Flags, Narrowing, Prefilter, translate};
use serde_json::Value;

type Checked = Result<(), Box<dyn Error>>;

struct Case {
    source: String,
    flags: Flags,
    text: String,
}

fn cases(kind: &str) -> Result<Vec<Case>, Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/test/vectors/regexps.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let cases = vectors
        .get(kind)
        .and_then(Value::as_array)
        .ok_or("no cases")?;
    cases.iter().map(case).collect()
}

fn case(case: &Value) -> Result<Case, Box<dyn Error>> {
    let field = |name: &str| {
        let field = case.get(name).and_then(Value::as_str);
        field.map(str::to_owned).ok_or("no String")
    };
    let flags = field("flags")?;
    Ok(Case {
        source: field("source")?,
        flags: Flags {
            ignore_case: flags.contains('i'),
            multi_line: flags.contains('m'),
            extended: flags.contains('x'),
        },
        text: field("text")?,
    })
}

fn plain(source: &str) -> Narrowing {
    translate(source, Flags::default())
}

/// Whether a text is a candidate for a pattern, which is so whatever other patterns there are.
fn may_match(narrowing: &Narrowing, text: &str) -> bool {
    let alone = Prefilter::new([(0, narrowing)].into_iter());
    let alone = !alone.candidates(text.as_bytes()).is_empty();
    // Among many of the same needs it is searched for as an automaton.
    let many = Prefilter::new((0..20).map(|index| (index, narrowing)));
    let many = many.candidates(text.as_bytes());
    assert!(many.is_empty() || many.len() == 20);
    alone && !many.is_empty()
}

#[test]
fn what_ruby_matches_is_possible() -> Checked {
    for case in cases("matched")? {
        let narrowing = translate(&case.source, case.flags);
        assert!(
            may_match(&narrowing, &case.text),
            "/{}/ {:?} with {:?} is narrowed to {narrowing:?}",
            case.source,
            case.flags,
            case.text
        );
    }
    Ok(())
}

#[test]
fn what_is_plainly_different_is_rejected() -> Checked {
    for case in cases("rejected")? {
        let narrowing = translate(&case.source, case.flags);
        assert!(
            !may_match(&narrowing, &case.text),
            "/{}/ {:?} with {:?} is narrowed to {narrowing:?}",
            case.source,
            case.flags,
            case.text
        );
    }
    Ok(())
}

#[test]
fn a_candidate_alone_is_one_among_others() -> Checked {
    let cases: Vec<Case> = [cases("matched")?, cases("rejected")?]
        .into_iter()
        .flatten()
        .collect();
    let narrowings: Vec<_> = cases
        .iter()
        .map(|case| translate(&case.source, case.flags))
        .collect();
    let together = Prefilter::new(narrowings.iter().enumerate());
    for case in &cases {
        let found = together.candidates(case.text.as_bytes());
        assert!(found.is_sorted_by(|a, b| a < b));
        for (index, narrowing) in narrowings.iter().enumerate() {
            let alone = Prefilter::new([(0, narrowing)].into_iter());
            if !alone.candidates(case.text.as_bytes()).is_empty() {
                assert!(found.contains(&index), "{index} in {:?}", case.text);
            }
        }
    }
    Ok(())
}

#[test]
fn what_matches_everything_is_known_to() {
    for source in [
        "",
        "a*",
        "|a",
        "a|",
        "^",
        "$",
        "\\A",
        "\\z",
        "\\b",
        "(?=a)",
        "(?!a)",
        ".*",
        "^.*",
        "(a)?",
        "()",
        "\\1",
        "\\G",
        "[a]{0}",
        "(?:a|b*)",
        "\\A\\s*",
        "(?~a)",
        "(a)?(?(1)b|c)",
    ] {
        assert_eq!(plain(source), Narrowing::Everything, "{source}");
    }
}

#[test]
fn what_is_not_understood_is_not_narrowed() {
    for source in [
        "(",
        ")",
        "a)",
        "[",
        "[]",
        "[a",
        "\\",
        "*",
        "+a",
        "(?",
        "(?<",
        "(?<n",
        "(?z)",
        "(?P<n>a)",
        "\\p{L",
        "[[:foo:]]",
        "\\u{110000}",
        "\\ud800",
        "\\uz",
        "\\M-a",
        "\\cé",
        "a{2,1}",
        "a{99999999999}",
        "(?#",
        "x(?#c)",
        "\\k<n",
        "(?(1",
        "[z-",
        "(?i)(?<=k)a",
    ] {
        assert_eq!(plain(source), Narrowing::Everything, "{source}");
    }
}

#[test]
fn every_cut_of_a_pattern_has_an_answer() {
    let source = "(?<n>a|[^b-d&&[:alpha:]\\p{^L}]{2,3}+)\\k<n>(?i)ß\\u{61 62}*?(?~x)\\R(?(1)\\xC3\\xA9|(?#c)\\cA)$ # é\n";
    for (start, _) in source.char_indices() {
        for (end, _) in source.char_indices().filter(|(end, _)| *end >= start) {
            for extended in [false, true] {
                let flags = Flags {
                    extended,
                    ..Flags::default()
                };
                let cut = source.get(start..end).unwrap_or_default();
                let narrowing = translate(cut, flags);
                let prefilter = Prefilter::new([(0, &narrowing)].into_iter());
                let _ = prefilter.candidates(source.as_bytes());
            }
        }
    }
}

#[test]
fn hostile_patterns_have_bounds() {
    let long = 60_000;
    for source in [
        "(".repeat(long),
        "[".repeat(long),
        "(?i)".repeat(long / 4),
        format!("a{}", "*".repeat(long)),
        format!("a{}", "{2}".repeat(long / 3)),
        "(?:a{2,400}){400}".repeat(100),
        "((((((((a{9}){9}){9}){9}){9}){9}){9}){9})".to_owned(),
        format!("(?i){}", "s".repeat(long)),
        format!("(?i){}", "ﬃ".repeat(long / 4)),
        format!("[{}]", "[a]".repeat(long / 4)),
        format!("[{}]", "a-z&&".repeat(long / 6)),
        "a?".repeat(long / 2),
        "a|".repeat(long / 2) + "b",
        "[]".repeat(long / 2),
        "\\1".repeat(long / 2),
        "{1".repeat(long / 2),
        "a".repeat(2 * long),
        "(?i:[é-ü])".repeat(long / 12),
        "\\p{L}".repeat(long / 5),
    ] {
        let narrowing = plain(&source);
        let prefilter = Prefilter::new([(0, &narrowing)].into_iter());
        let _ = prefilter.candidates("aaaaaaaaaaaaaaaaaaaa ssß".as_bytes());
        if let Narrowing::Pattern(pattern) = &narrowing {
            assert!(pattern.to_string().len() < 50 * source.len() + 100_000);
        }
    }
}

#[test]
fn text_that_is_no_utf8_may_match_everything() {
    let narrowings = ["rm", "[0-9]{4}", "a*", "git"].map(plain);
    let prefilter = Prefilter::new(narrowings.iter().enumerate());
    assert_eq!(prefilter.candidates(b"\xff"), [0, 1, 2, 3]);
    assert_eq!(prefilter.candidates(b"rm"), [0, 2]);
}

#[test]
fn indices_are_the_callers() {
    let narrowings = ["rm", "x*", "[0-9]{4}", "rm -rf"].map(plain);
    let prefilter = Prefilter::new([40, 7, 90, 3].into_iter().zip(&narrowings));
    assert_eq!(prefilter.candidates(b"rm -rf 2024"), [3, 7, 40, 90]);
    assert_eq!(prefilter.candidates(b"ls"), [7]);
    assert!(Prefilter::default().candidates(b"ls").is_empty());
}

#[test]
fn thousands_of_patterns_are_told_apart() -> Checked {
    let mut sources = Vec::new();
    for number in 0..3000 {
        sources.push(format!("rm -rf \\S+tmp{number}x"));
        sources.push(format!("shared \\d{{{}}}y", number % 40 + 1));
        sources.push(format!("[^a-z]{{{}}}[a-c]{{2}}", number % 30 + 1));
        sources.push(format!("(?:push|pull) origin{number} (?=--force)"));
    }
    let narrowings: Vec<_> = sources.iter().map(|source| plain(source)).collect();
    let prefilter = Prefilter::new(narrowings.iter().enumerate());
    assert!(prefilter.candidates(b"plain text").is_empty());
    assert_eq!(prefilter.candidates(b"rm -rf /tmp7x"), [28]);
    assert_eq!(
        prefilter.candidates(b"git pull origin2999 --force"),
        [11_999]
    );
    assert!(prefilter.candidates(b"git origin2999 --force").is_empty());
    let mut text = String::new();
    write!(text, "shared 123y")?;
    let found = prefilter.candidates(text.as_bytes());
    assert!(
        found
            .iter()
            .all(|index| index % 4 == 1 && index / 4 % 40 == 2)
    );
    assert_eq!(found.len(), 75);
    Ok(())
}
