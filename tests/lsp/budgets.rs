//! `costlens.toml` in an editor: budgets are diagnostics, and a change of the file takes effect immediately.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::{histories, project};

const RANKED: &str = "%! ranked(+Xs:list, -Ys) is det.
ranked([], []).
ranked([X|Xs], Ys) :- ranked(Xs, Zs), append(Zs, [r(X)], Ys).
";

struct Project {
    folder: TempDir,
    client: Client,
}

impl Project {
    fn new(toml: &str) -> Self {
        let folder = project::folder(&[("costlens.toml", toml), ("src/ranked.pl", RANKED)]);
        let mut client = histories::client(&folder);
        let root = format!("file://{}", folder.path().display());
        client.open(&format!("{root}/src/ranked.pl"), RANKED);
        Self { folder, client }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.path().display())
    }

    fn write(&mut self, toml: &str) {
        std::fs::write(self.folder.path().join("costlens.toml"), toml).unwrap();
        let changes = json!({"changes": [{"uri": self.uri("costlens.toml"), "type": 2}]});
        self.client
            .notify("workspace/didChangeWatchedFiles", changes);
    }

    /// Returns the rule, severity and line of each problem that is not a hint.
    fn problems(&mut self) -> Vec<(String, u64, u64)> {
        let params = json!({"textDocument": {"uri": self.uri("src/ranked.pl")}});
        let all = self.client.request("textDocument/diagnostic", params);
        let problem = |d: &Value| {
            let code = d["code"].as_str().unwrap().to_owned();
            let line = d["range"]["start"]["line"].as_u64().unwrap();
            (code, d["severity"].as_u64().unwrap(), line)
        };
        all["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|d| d["severity"] != json!(4))
            .map(problem)
            .collect()
    }
}

const LINEAR: &str = "[[budget]]\nsteps = \"O(n)\"\n";

fn exceeded(severity: u64) -> Vec<(String, u64, u64)> {
    vec![("budget".to_owned(), severity, 1)]
}

#[test]
fn a_budget_is_broken_and_mended() {
    let mut project = Project::new(LINEAR);
    assert_eq!(project.problems(), exceeded(1));
    project.write("[[budget]]\nsteps = \"O(n^2)\"\n");
    assert_eq!(project.problems(), []);
    project.write(&format!("[rules]\nbudget = \"warning\"\n{LINEAR}"));
    assert_eq!(project.problems(), exceeded(2));
    // The program is fixed.
    let uri = project.uri("src/ranked.pl");
    let cheap = "ranked([X|Xs], [r(X)|Ys]) :- ranked(Xs, Ys).";
    project.client.change(&uri, 2, [2, 0, 2, 61], cheap);
    assert_eq!(project.problems(), []);
}

#[test]
fn a_mistake_is_shown_and_the_rest_works() {
    let mut project = Project::new(LINEAR);
    project.write("[[budget]]\nsteps = \"n\"\n");
    let shown = project
        .client
        .wait("the message", |m| m["method"] == "window/showMessage");
    let message = shown["params"]["message"].as_str().unwrap();
    assert!(
        message.contains("costlens.toml:2:9: `n` is no limit"),
        "{message}"
    );
    assert_eq!(project.problems(), []);
    project.write(LINEAR);
    assert_eq!(project.problems(), exceeded(1));
}

#[test]
fn settings_of_the_client_come_before_those_of_the_project() {
    let mut project = Project::new(&format!("dialect = \"gnu\"\n{LINEAR}"));
    assert_eq!(project.problems(), exceeded(1));
    // Later settings leave the project's in force.
    let settings = json!({"settings": {"costlens": {"library": "none", "dialect": "swi"}}});
    project
        .client
        .notify("workspace/didChangeConfiguration", settings);
    assert_eq!(project.problems(), exceeded(1));
    let off = json!({"settings": {"costlens": {"library": "none", "diagnostics": {"disabled": ["budget"]}}}});
    project
        .client
        .notify("workspace/didChangeConfiguration", off);
    assert_eq!(project.problems(), []);
}

/// A client that cannot watch files reports no changes, like Neovim on Linux.
#[test]
fn a_change_is_seen_without_the_client() {
    let mut project = Project::new(LINEAR);
    assert_eq!(project.problems(), exceeded(1));
    for (toml, expected) in [("[[budget]]\nsteps = \"O(n^2)\"\n", 0), (LINEAR, 1)] {
        std::fs::write(project.folder.path().join("costlens.toml"), toml).unwrap();
        let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while project.problems().len() != expected {
            assert!(std::time::Instant::now() < patience, "{toml} is not seen");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    }
    std::fs::remove_file(project.folder.path().join("costlens.toml")).unwrap();
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !project.problems().is_empty() {
        assert!(
            std::time::Instant::now() < patience,
            "it is not seen that the file is gone"
        );
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}
