//! Does with the published crate `oatf` what the benchmark does with Joust, and prints `{"seconds": …, "count": …}`.

use std::path::Path;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (seconds, count) = match args.get(1).map(String::as_str) {
        Some("load") => load(&args[2], args[3].parse().expect("seconds")),
        Some("evaluate") => evaluate(&args[2], &args[3]),
        _ => panic!("usage: oatf-rs-peer load FOLDER SECONDS | evaluate INDICATORS MESSAGES"),
    };
    println!("{{\"seconds\": {seconds}, \"count\": {count}}}");
}

/// Loads every YAML file in a folder until the time is up; returns the fastest round and how many documents loaded.
fn load(folder: &str, seconds: f64) -> (f64, usize) {
    let mut texts = Vec::new();
    collect(Path::new(folder), &mut texts);
    let mut rounds = Vec::new();
    let mut valid = 0;
    let start = Instant::now();
    while rounds.len() < 3 || start.elapsed().as_secs_f64() < seconds {
        let round = processor_time();
        valid = texts.iter().filter(|text| oatf::load(text).is_ok()).count();
        rounds.push(processor_time() - round);
    }
    rounds.sort_by(f64::total_cmp);
    (rounds[0], valid)
}

/// Seconds that this process, which has one thread, has spent on a processor: as in `measure.ts`, so that other load on
/// the machine does not count.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).expect("a number");
    nanoseconds / 1e9
}

fn collect(folder: &Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        let yaml = path.extension().is_some_and(|end| end == "yaml" || end == "yml");
        if path.is_dir() {
            collect(&path, texts);
        } else if yaml {
            texts.push(std::fs::read_to_string(&path).expect("text"));
        }
    }
}

/// Evaluates every indicator against every message, once; returns the time it took and how many matched.
fn evaluate(indicators: &str, messages: &str) -> (f64, usize) {
    let indicators: Vec<oatf::types::Indicator> = read(indicators);
    let messages: Vec<serde_json::Value> = read(messages);
    let cel = oatf::evaluate::default_cel_evaluator();
    let start = processor_time();
    let mut matched = 0;
    for message in &messages {
        for indicator in &indicators {
            let verdict = oatf::evaluate::evaluate_indicator(indicator, message, Some(&cel), None);
            if verdict.result == oatf::enums::IndicatorResult::Matched {
                matched += 1;
            }
        }
    }
    (processor_time() - start, matched)
}

fn read<T: serde::de::DeserializeOwned>(path: &str) -> T {
    serde_json::from_str(&std::fs::read_to_string(path).expect("file")).expect("json")
}
