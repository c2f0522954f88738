//! Every file of `tests/*.rs` is a declared target: cargo does not look there by itself.

#[test]
fn every_test_file_is_declared() {
    let manifest =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");
    let mut seen = 0;
    for entry in std::fs::read_dir(tests).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".rs") {
            seen += 1;
            assert!(
                manifest.contains(&format!("path = \"../../tests/{name}\"")),
                "tests/{name} is not declared in server/costlens/Cargo.toml"
            );
        }
    }
    assert!(seen > 0, "no test file in {tests}");
}
