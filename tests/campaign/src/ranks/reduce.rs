//! Removes parts of a program as long as it still fails.

use super::{Piece, Program};

/// The most programs that are tried.
const MOST: usize = 1500;

/// The smallest program found that still `fails`.
pub fn reduce(program: Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut tried = 0;
    loop {
        let before = best.clone();
        // A directive of COMMON stands in each procedure, and goes from all or none.
        let mut texts: Vec<String> = Vec::new();
        best.files.iter().for_each(|f| repeated(&f.pieces, &mut texts));
        texts.sort();
        texts.dedup();
        for text in texts {
            let mut smaller = best.clone();
            smaller.files.iter_mut().for_each(|f| without(&mut f.pieces, &text));
            tried += 1;
            if fails(&smaller) {
                best = smaller;
            }
        }
        // The largest parts first: those of files, then those in them.
        for depth in 0..6 {
            let mut paths = Vec::new();
            for (f, file) in best.files.iter().enumerate() {
                find(&file.pieces, depth, &mut vec![f], &mut paths);
            }
            // From the end, so the paths of parts that are left stay as they are.
            for path in paths.into_iter().rev() {
                if tried >= MOST {
                    return best;
                }
                let mut smaller = best.clone();
                if !remove(&mut smaller.files[path[0]].pieces, &path[1..]) {
                    continue;
                }
                tried += 1;
                if fails(&smaller) {
                    best = smaller;
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

/// The paths of the parts at that depth which may go.
fn find(pieces: &[Piece], depth: usize, path: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    for (k, piece) in pieces.iter().enumerate() {
        path.push(k);
        if depth > 0 {
            find(&piece.inside, depth - 1, path, out);
        } else if !piece.fixed || !piece.inside.is_empty() {
            out.push(path.clone());
        }
        path.pop();
    }
}

/// Removes the part at a path. Of a procedure all statements go, or itself if it has none that may.
fn remove(pieces: &mut Vec<Piece>, path: &[usize]) -> bool {
    let (&k, rest) = match path.split_first() {
        Some(found) => found,
        None => return false,
    };
    if !rest.is_empty() {
        return remove(&mut pieces[k].inside, rest);
    }
    let piece = &mut pieces[k];
    if piece.fixed && piece.inside.iter().any(|p| !p.fixed) {
        piece.inside.retain(|p| p.fixed);
    } else {
        pieces.remove(k);
    }
    true
}

/// The texts of directives.
fn repeated(pieces: &[Piece], out: &mut Vec<String>) {
    for piece in pieces {
        if !piece.fixed && piece.head.starts_with("!HPF$") && piece.inside.is_empty() {
            out.push(piece.head.clone());
        }
        repeated(&piece.inside, out);
    }
}

/// Removes the directive from all procedures.
fn without(pieces: &mut Vec<Piece>, text: &str) {
    pieces.retain(|p| p.fixed || p.head != text);
    pieces.iter_mut().for_each(|p| without(&mut p.inside, text));
}
