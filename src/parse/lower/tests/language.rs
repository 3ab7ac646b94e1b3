//! The list in the documentation is the one of the tables.

#[test]
fn the_list_of_the_language_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/language.md");
    let text = trueline_sema::language();
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("docs can be made");
        std::fs::write(&path, &text).expect("the list can be written");
        return;
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(have == text, "docs/language.md is not what the tables say (BLESS=1 rewrites it)");
}
