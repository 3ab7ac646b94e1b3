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
