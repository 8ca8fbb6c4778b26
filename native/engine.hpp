// What is a good move? Alpha-beta over whole moves, deepening step by step, with the threat solver at every position.
//
// At each position: can the side to move win by threats? Then the search is done. Could the other side, if it were his turn? Then
// only moves that touch the zone of that win need a look. The moves themselves come from a tree of single stones: the squares
// that matter most, for each of them the best partners, and of all these the moves that leave the best position.
//
// Several threads search the same position and share a table; they help each other by what they store there.
#pragma once

#include "engine_table.hpp"
#include "evaluation.hpp"
#include "proof_search.hpp"

namespace tengen {

struct EngineSettings {
    int root_width = 48, width = 14;     // moves that are tried at the root, and below
    int points = 14, partners = 9;       // squares for the first stone of a move, and for each further one
    int zone_points = 24;                // where a win of the opponent must be stopped
    std::uint64_t root_threats = 20000;  // nodes for a win by double threats at the root,
    std::uint64_t threats = 400;         // below it,
    std::uint64_t leaf_threats = 400;    // and at the leaves
    std::uint64_t null_threats = 250;    // for the opponent's, if the side to move passed
    std::uint64_t single_threats = 20000;  // for a win with single threats: own at the root, the opponent's after the move chosen
    int breadth = 2;      // where all moves that were tried lose, how many times more squares to look at before that is believed
    int bad_sign = 1500;  // what it costs, below the evaluation, if all moves that were tried lose
    int reduce_from = 4;  // moves after so many are searched less deep at first
};

struct EngineLimits {
    int depth = 60;
    std::uint64_t nodes = 0;
    double soft_seconds = 0;  // no new step after that
    double hard_seconds = 0;  // stop at once
};

template <class PositionType>
class Engine {
public:
    using ZoneType = typename PositionType::ZoneType;
    using SquareSet = typename PositionType::SquareSet;
    // Scores within `far` of `win` are certain: found by the solver, or against every reply. All others stay within `highest`.
    static constexpr int win = 1'000'000, far = 1000, infinite = win + 1, highest = 400'000;

    struct Line {
        Stones move;
        int score = -infinite;
        int depth = 0;
        bool by_threats = false;   // the solver found the win
        bool is_refuted = false;   // the opponent wins by single threats after it
        std::vector<Stones> moves;  // what is expected to follow, itself first
    };

    // What the threads share.
    struct Shared {
        EngineTable table;
        std::array<Table, 2> solved;
        Control& control;
        std::atomic<std::uint64_t> nodes{0};
        std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

        Shared(Control& control, int table_bits, int threads)
            : table(table_bits), solved{Table(table_bits, threads > 1), Table(table_bits, threads > 1)}, control(control) {}
    };

    // `boards`: the position with Black and with White as the attacker.
    Engine(Shared& shared, std::array<PositionType, 2>&& boards, std::unique_ptr<Evaluation> evaluation, bool maker_breaker, EngineSettings settings,
           EngineLimits limits, int number = 0)
        : shared_(shared),
          boards_(std::move(boards)),
          evaluation_(std::move(evaluation)),
          maker_breaker_(maker_breaker),
          settings_(settings),
          limits_(limits),
          number_(number),
          solvers_{SolverType(boards_[black], shared.solved[black], shared.control, Method::traditional, Limits{}, 1),
                   SolverType(boards_[white], shared.solved[white], shared.control, Method::traditional, Limits{}, 1)} {
        find_neighbours();
    }

    // The best moves, best first. `tell` hears of every step that is finished.
    template <class Tell>
    std::vector<Line> think(int side, int stones, int lines, const std::vector<Stones>& prohibited, Tell tell) {
        root_lines_.clear();
        std::vector<Line> won;
        std::vector<Stones> left_out = prohibited;
        Line by_threats;
        if (win_by_threats(side, stones, by_threats) && std::find(prohibited.begin(), prohibited.end(), by_threats.move) == prohibited.end()) {
            won.push_back(by_threats);
            left_out.push_back(by_threats.move);
        }
        lines_wanted_ = std::max(1, lines) - int(won.size());
        if (lines_wanted_ == 0) return won;
        list_root_moves(side, stones, left_out);
        if (root_lines_.empty()) return won;
        const auto found = [&] {
            std::vector<Line> all = won;
            all.insert(all.end(), root_lines_.begin(), root_lines_.end());
            return all;
        };
        std::vector<Line> last_step;
        for (int depth = 1; depth <= limits_.depth && !is_stopped(); ++depth) {
            if (depth > 1 && limits_.soft_seconds > 0 && elapsed() > limits_.soft_seconds * soft_share()) break;
            depth_ = depth;
            shared_.control.depth.store(depth, std::memory_order_relaxed);
            bool finished = step(side, depth);
            while (!is_stopped() && is_lost(root_lines_[0].score) && widen(side, stones, left_out)) finished = step(side, depth);
            if (!finished) {  // scores of different depths do not compare: several lines are those of the last whole step
                if (lines_wanted_ > 1 && !last_step.empty()) root_lines_ = last_step;
                break;
            }
            last_step = root_lines_;
            tell(found());
            if (is_settled()) break;
        }
        if (!is_complete_)  // that these moves lose does not mean that all do
            for (Line& line : root_lines_)
                if (line.score != -infinite) line.score = std::max(line.score, -highest);
        return found();
    }

    std::uint64_t nodes() const { return nodes_; }

private:
    using SolverType = Solver<PositionType>;
    static constexpr int neighbourhood = 3, max_ply = 64, extensions = 6, widest = 4;
    static constexpr int reduced_by = 2;  // whoever is to move looks better off: only scores of equal parity compare
    static constexpr std::uint64_t nodes_of_a_solver = 32;  // as many of its nodes cost as much time as one of ours
    struct Option {
        Stones move;
        int score;
    };

    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - shared_.start).count(); }

    bool is_stopped() {
        if (stopped_) return true;
        if (shared_.control.stop.load(std::memory_order_relaxed)) stopped_ = true;
        if (limits_.nodes > 0 && shared_.nodes.load(std::memory_order_relaxed) >= limits_.nodes) stopped_ = true;
        if (limits_.hard_seconds > 0 && elapsed() > limits_.hard_seconds) stopped_ = true;
        if (number_ == 0 && shared_.control.poll && std::chrono::steady_clock::now() - polled_ > std::chrono::milliseconds(50)) {
            polled_ = std::chrono::steady_clock::now();
            if (shared_.control.poll()) shared_.control.stop.store(true), stopped_ = true;
        }
        return stopped_;
    }

    // A move that has stayed best for long needs less time.
    double soft_share() const { return steady_ >= 3 ? 0.7 : 1.0; }

    // More depth would change nothing.
    bool is_settled() const {
        for (int i = 0; i < std::min<int>(lines_wanted_, int(root_lines_.size())); ++i)
            if (std::abs(root_lines_[std::size_t(i)].score) < win - far) return false;
        return !root_lines_.empty() && root_lines_[0].score != -infinite;
    }

    void place(Square s, int colour) {
        boards_[black].place(s, colour == black ? attacker : defender);
        boards_[white].place(s, colour == white ? attacker : defender);
        evaluation_->place(s, colour);
    }

    void remove(Square s, int colour) {
        boards_[black].remove(s);
        boards_[white].remove(s);
        evaluation_->remove(s, colour);
    }

    void play(const Stones& move, int colour) {
        for (Square s : move) place(s, colour);
    }

    void take_back(const Stones& move, int colour) {
        for (Square s : move) remove(s, colour);
    }

    int p() const { return boards_[black].p(); }
    bool can_win(int side) const { return !(maker_breaker_ && side == white); }

    bool has_row_in(int side, int stones) const { return can_win(side) && boards_[std::size_t(side)].fillable(attacker, stones) >= 0; }

    // Before anything else at the root: a row, double threats, single threats.
    bool win_by_threats(int side, int stones, Line& line) {
        if (!can_win(side)) return false;
        SolverType& solver = solvers_[std::size_t(side)];
        Strategy strategy;
        ZoneType zone;
        bool ok = solver.win_within(settings_.root_threats, stones, &zone, &strategy);
        if (!ok && p() > 1 && settings_.single_threats > 0 && !is_stopped())
            ok = wins_with_single_threats(side, stones, settings_.single_threats, &strategy);
        if (!ok) return false;
        line.move = strategy.move;
        line.move.sort();
        line.score = win - 2 * strategy.length() + 1;
        line.depth = strategy.length();
        line.by_threats = true;
        const Strategy* at = &strategy;
        while (true) {
            line.moves.push_back(at->move);
            const Strategy* longest = nullptr;
            for (const auto& reply : at->replies)
                if (!longest || reply.answer->length() > longest->length()) {
                    longest = reply.answer.get();
                    if (&reply != &at->replies.front()) line.moves.pop_back();
                    line.moves.push_back(reply.stones);
                }
            if (!longest) break;
            at = longest;
        }
        return true;
    }

    bool wins_with_single_threats(int side, int stones, std::uint64_t nodes, Strategy* strategy) {
        Control own;  // counts the nodes of this search alone
        own.poll = [this] { return is_stopped(); };
        Limits limits;
        limits.nodes = nodes;
        if (limits_.hard_seconds > 0) limits.seconds = std::max(1e-3, (limits_.hard_seconds - elapsed()) / 2);
        ProofSearch<PositionType> search([&] { return boards_[std::size_t(side)].copy(); }, shared_.solved[std::size_t(side)], own,
                                         ProofSettings(), limits, 1);
        using Outcome = typename ProofSearch<PositionType>::Outcome;
        Strategy told;
        ZoneType zone;
        const bool ok = search.attack(p(), stones) == Outcome::win && search.explain(strategy ? *strategy : told, zone);
        shared_.nodes.fetch_add(search.nodes() / nodes_of_a_solver, std::memory_order_relaxed);
        return ok;
    }

    // The moves that are searched at the root, `breadth` times as many as usual; those that are there already keep their scores.
    void list_root_moves(int side, int stones, const std::vector<Stones>& left_out, int breadth = 1) {
        std::vector<Option> moves;
        is_complete_ = generate(side, stones, settings_.root_width * breadth * breadth, settings_.points * 2 * breadth,
                                settings_.partners * 2 * breadth, null_zone(side, settings_.null_threats * 8), moves);
        if (moves.empty() && root_lines_.empty()) generate_any(side, stones, settings_.root_width, moves);
        const auto is_new = [&](const Stones& move) {
            return std::find(left_out.begin(), left_out.end(), move) == left_out.end() &&
                   std::none_of(root_lines_.begin(), root_lines_.end(), [&](const Line& line) { return line.move == move; });
        };
        std::vector<Line> lines;
        for (const Option& option : moves) {
            if (!is_new(option.move)) continue;
            lines.emplace_back();
            lines.back().move = option.move;
        }
        root_lines_.insert(root_lines_.begin(), lines.begin(), lines.end());
    }

    static bool is_lost(int score) { return score <= -(win - far) && score != -infinite; }

    // All moves that were tried lose: are there others?
    bool widen(int side, int stones, const std::vector<Stones>& left_out) {
        if (is_complete_ || breadth_ >= widest) return false;
        const std::size_t before = root_lines_.size();
        while (root_lines_.size() == before && breadth_ < widest) list_root_moves(side, stones, left_out, breadth_ *= 2);
        return root_lines_.size() > before;
    }

    // One more step of depth. False if it was cut short before it had found anything.
    bool step(int side, int depth) {
        const Stones best_before = root_lines_[0].move;
        for (int rank = 0; rank < std::min<int>(lines_wanted_, int(root_lines_.size())); ++rank) {
            while (true) {
                if (!search_root(side, depth, rank)) return false;
                Line& best = root_lines_[std::size_t(rank)];
                // The search knows double threats; whether the opponent wins with single ones is worth a look of its own.
                if (std::abs(best.score) >= win - far || is_verified(best.move) || settings_.single_threats == 0 || p() < 2 || depth < 2) break;
                if (elapsed() > limits_.soft_seconds && limits_.soft_seconds > 0) break;
                play(best.move, side);
                const bool refuted = can_win(1 - side) && wins_with_single_threats(1 - side, p(), settings_.single_threats, nullptr);
                take_back(best.move, side);
                if (is_stopped()) break;
                if (!refuted) {
                    verified_.push_back(best.move);
                    break;
                }
                best.score = -win + far / 2;
                best.is_refuted = true;
                best.moves.resize(1);
                const auto first = root_lines_.begin() + rank;
                std::stable_sort(first, root_lines_.end(), [](const Line& a, const Line& b) { return a.score > b.score; });
                if (std::all_of(first, root_lines_.end(), [](const Line& line) { return line.is_refuted; })) break;
            }
        }
        steady_ = root_lines_[0].move == best_before ? steady_ + 1 : 0;
        return true;
    }

    bool is_verified(const Stones& move) const { return std::find(verified_.begin(), verified_.end(), move) != verified_.end(); }

    bool search_root(int side, int depth, int rank) {
        int alpha = -infinite;
        bool any = false;
        std::vector<Line>& lines = root_lines_;
        for (std::size_t i = std::size_t(rank); i < lines.size(); ++i) {
            Line& line = lines[i];
            if (line.is_refuted || is_lost(line.score)) continue;  // that is certain, and stays so
            play(line.move, side);
            int score;
            if (!any) {
                score = -search(1 - side, depth - 1, -infinite, -alpha, 1);
            } else {
                const int reduction = depth >= 3 && i > std::size_t(rank) + 5 ? reduced_by : 0;
                score = -search(1 - side, depth - 1 - reduction, -alpha - 1, -alpha, 1);
                if (score > alpha && !is_stopped()) score = -search(1 - side, depth - 1, -infinite, -alpha, 1);
            }
            take_back(line.move, side);
            if (is_stopped()) break;
            if (!any || score > alpha) {
                alpha = score;
                line.score = score;
                line.depth = depth;
                line.moves.assign(1, line.move);
                line.moves.insert(line.moves.end(), lines_[1].begin(), lines_[1].end());
                std::rotate(lines.begin() + rank, lines.begin() + std::ptrdiff_t(i), lines.begin() + std::ptrdiff_t(i) + 1);
                any = true;
            } else if (is_lost(score)) {
                line.score = score;
            }
        }
        return any;
    }

    // The value of a position for `side`, who is to move with all stones of his turn.
    int search(int side, int depth, int alpha, int beta, int ply) {
        lines_[std::size_t(ply)].clear();
        ++nodes_;
        shared_.nodes.fetch_add(1, std::memory_order_relaxed);
        shared_.control.nodes.fetch_add(1, std::memory_order_relaxed);
        if (is_stopped()) return 0;
        const int other = 1 - side;
        if (can_win(other) && boards_[std::size_t(other)].has_row(attacker)) return -(win - ply + 1);
        if (has_row_in(side, p())) return win - ply;
        if (boards_[black].empty().empty()) return 0;
        alpha = std::max(alpha, -(win - ply));
        beta = std::min(beta, win - ply);
        if (alpha >= beta) return alpha;
        int threats = 0;
        if (can_win(other)) {
            threats = threat_number(boards_[std::size_t(other)]);
            if (threats > p()) return -(win - ply - 1);
        }
        if (threats > 0 && depth <= 0 && ply < depth_ + extensions) depth = 1;  // what must be answered is no place to stop
        if (ply >= max_ply - 1) depth = 0;
        const std::uint64_t key = boards_[black].key() ^ mix(std::uint64_t(side) + 0x51de);
        EngineTable::Entry entry;
        const bool known = shared_.table.find(key, entry);
        if (known && entry.depth >= depth) {
            const int score = from_table(entry.score, ply);
            if (entry.bound == EngineTable::exact || (entry.bound == EngineTable::lower && score >= beta) ||
                (entry.bound == EngineTable::upper && score <= alpha))
                return score;
        }
        if (can_win(side) && solvers_[std::size_t(side)].win_within(depth > 0 ? settings_.threats : settings_.leaf_threats, p(), nullptr)) {
            const int score = win - ply - 3;
            store(key, Stones(), score, 99, EngineTable::exact, ply);
            return score;
        }
        if (depth <= 0) return std::clamp(evaluation_->value(side), -highest, highest);
        std::vector<Option>& moves = moves_[std::size_t(ply)];
        const bool must_answer = threats > 0;
        const int width = must_answer && depth == 1 ? settings_.width / 2 : settings_.width;
        const auto list = [&](int breadth, std::vector<Option>& out) {
            return generate(side, p(), width * breadth * breadth, settings_.points * breadth, settings_.partners * breadth,
                            must_answer ? nullptr : null_zone(side, settings_.null_threats), out);
        };
        bool is_complete = list(1, moves);
        if (moves.empty() && is_complete) return -(win - ply - 2);
        if (known && entry.move.count > 0) {
            const auto at = std::find_if(moves.begin(), moves.end(), [&](const Option& c) { return c.move == entry.move; });
            if (at != moves.end()) std::rotate(moves.begin(), at, at + 1);
        }
        int best = -infinite, before = alpha, breadth = 1;
        Stones best_move;
        for (std::size_t i = 0;; ++i) {
            if (i == moves.size()) {
                // All that were tried lose. Before this is believed, others are.
                if (is_complete || best > -(win - far) || breadth >= settings_.breadth) break;
                std::vector<Option> more;
                is_complete = list(breadth *= 2, more);
                for (const Option& option : more)
                    if (std::none_of(moves.begin(), moves.begin() + std::ptrdiff_t(i), [&](const Option& m) { return m.move == option.move; })) moves.push_back(option);
                if (i == moves.size()) break;
            }
            const Stones move = moves[i].move;
            play(move, side);
            int score;
            if (i == 0) {
                score = -search(other, depth - 1, -beta, -alpha, ply + 1);
            } else {
                const int reduction = depth >= 3 && int(i) >= settings_.reduce_from && !must_answer ? reduced_by : 0;
                score = -search(other, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1);
                if (score > alpha && (reduction > 0 || score < beta) && !is_stopped()) score = -search(other, depth - 1, -beta, -alpha, ply + 1);
            }
            take_back(move, side);
            if (stopped_) return 0;
            if (score > best) {
                best = score;
                best_move = move;
                if (score > alpha) {
                    alpha = score;
                    auto& line = lines_[std::size_t(ply)];
                    line.assign(1, move);
                    line.insert(line.end(), lines_[std::size_t(ply) + 1].begin(), lines_[std::size_t(ply) + 1].end());
                }
            }
            if (alpha >= beta) break;
        }
        // Where not all moves were tried, that they lose is a bad sign, no more.
        if (!is_complete && best <= -(win - far)) best = std::max(-highest, std::min(0, evaluation_->value(side)) - settings_.bad_sign);
        store(key, best_move, best, depth, best >= beta ? EngineTable::lower : best > before ? EngineTable::exact : EngineTable::upper, ply);
        return best;
    }

    // Wins are counted from the root in the search, from the position in the table.
    static int from_table(int score, int ply) { return score >= win - far ? score - ply : score <= -(win - far) ? score + ply : score; }

    void store(std::uint64_t key, const Stones& move, int score, int depth, EngineTable::Bound bound, int ply) {
        const int from_here = score >= win - far ? score + ply : score <= -(win - far) ? score - ply : score;
        shared_.table.store({key, move, from_here, std::int16_t(depth), bound});
    }

    // Where the opponent's win by threats could be stopped, if he has one when `side` passes.
    const ZoneType* null_zone(int side, std::uint64_t budget) {
        const int other = 1 - side;
        if (!can_win(other) || boards_[std::size_t(other)].threatens(attacker)) return nullptr;
        return solvers_[std::size_t(other)].win_within(budget, p(), &zone_) ? &zone_ : nullptr;
    }

    void find_neighbours() {
        const Geometry& g = boards_[black].geometry();
        neighbours_.resize(std::size_t(g.squares));
        for (int y = 0; y < g.height; ++y)
            for (int x = 0; x < g.width; ++x)
                for (int dy = -neighbourhood; dy <= neighbourhood; ++dy)
                    for (int dx = -neighbourhood; dx <= neighbourhood; ++dx)
                        if ((dx == 0 || dy == 0 || std::abs(dx) == std::abs(dy)) && x + dx >= 0 && x + dx < g.width && y + dy >= 0 && y + dy < g.height)
                            neighbours_[std::size_t(x + y * g.width)].add(Square(x + dx + (y + dy) * g.width));
    }

    // Empty squares in line with a stone and near it; all of them where there are too few.
    SquareSet near_squares(int stones) const {
        SquareSet near;
        const Geometry& g = boards_[black].geometry();
        for (Square s = 0; s < g.squares; ++s)
            if (!boards_[black].is_empty(s)) near |= neighbours_[s];
        for (std::size_t i = 0; i < near.words.size(); ++i) near.words[i] &= boards_[black].empty().words[i];
        return near.count() >= stones ? near : boards_[black].empty();
    }

    // The moves worth a try, the best first: they meet all threats, and touch the zone if there is one. True if no other move
    // could help.
    bool generate(int side, int stones, int width, int points, int partners, const ZoneType* zone, std::vector<Option>& out) {
        out.clear();
        seen_.clear();
        const int left = std::min(stones, boards_[black].empty().count());
        near_ = near_squares(left);
        const int other = 1 - side;
        std::vector<Stones> defences;
        if (can_win(other)) critical_defences(boards_[std::size_t(other)], left, defences); else defences.push_back(Stones());
        const ZoneType local = zone ? *zone : ZoneType();
        for (const Stones& defence : defences) {
            Stones chosen = defence;
            play(defence, side);
            extend(side, chosen, left - defence.count, zone && defence.count == 0 ? settings_.zone_points : points, partners, zone ? &local : nullptr, out);
            take_back(defence, side);
        }
        std::stable_sort(out.begin(), out.end(), [](const Option& a, const Option& b) { return a.score > b.score; });
        const std::size_t keep = std::size_t(zone ? width * 3 / 2 : width);
        const bool all = out.size() <= keep && std::all_of(defences.begin(), defences.end(), [left](const Stones& d) { return d.count == left; });
        if (!all && out.size() > keep) out.resize(keep);
        return all;
    }

    // Where nothing helps any more: moves that look well all the same.
    void generate_any(int side, int stones, int width, std::vector<Option>& out) {
        seen_.clear();
        const int left = std::min(stones, boards_[black].empty().count());
        near_ = near_squares(left);
        extend(side, Stones(), left, settings_.points, settings_.partners, nullptr, out);
        std::stable_sort(out.begin(), out.end(), [](const Option& a, const Option& b) { return a.score > b.score; });
        if (int(out.size()) > width) out.resize(std::size_t(width));
    }

    void extend(int side, const Stones& chosen, int left, int points, int partners, const ZoneType* zone, std::vector<Option>& out) {
        if (left == 0) {
            if (zone && !touches(chosen, *zone)) return;
            Stones move = chosen;
            move.sort();
            std::uint64_t key = 0;
            for (Square s : move) key ^= stone_key(s, 0, 0);
            if (!seen_.insert(key).second) return;
            out.push_back({move, -evaluation_->value(1 - side)});
            return;
        }
        std::vector<std::pair<int, Square>> ranked;
        near_.each([&](Square s) {
            if (!boards_[black].is_empty(s) || chosen.has(s)) return;
            // Every move that touches the zone has a stone in Z2; with fewer than two stones, Z1.
            if (zone && chosen.count == 0 && left <= ZoneType::orders && !zone->z[std::size_t(left) - 1].has(s)) return;
            ranked.emplace_back(-evaluation_->interest(s, side), s);
        });
        if (int(ranked.size()) > points) {
            std::partial_sort(ranked.begin(), ranked.begin() + points, ranked.end());
            ranked.resize(std::size_t(points));
        } else {
            std::sort(ranked.begin(), ranked.end());
        }
        for (const auto& [value, s] : ranked) {  // the boards are not asked here, and cost more to change than the evaluation
            evaluation_->place(s, side);
            Stones more = chosen;
            more.add(s);
            extend(side, more, left - 1, partners, std::max(2, partners / 2), zone, out);
            evaluation_->remove(s, side);
        }
    }

    // Whether a set of stones could matter: it can be ordered so that the i-th is not in Z_i unless some Z_j holds j of them.
    static bool touches(const Stones& stones, const ZoneType& zone) {
        for (int j = 1; j <= std::min(stones.count, int(ZoneType::orders)); ++j) {
            int inside = 0;
            for (Square s : stones) inside += zone.z[std::size_t(j) - 1].has(s);
            if (inside >= j) return true;
        }
        return false;
    }

    Shared& shared_;
    std::array<PositionType, 2> boards_;
    std::unique_ptr<Evaluation> evaluation_;
    bool maker_breaker_;
    EngineSettings settings_;
    EngineLimits limits_;
    int number_;
    std::array<SolverType, 2> solvers_;
    std::vector<SquareSet> neighbours_;
    SquareSet near_;
    ZoneType zone_;
    std::unordered_set<std::uint64_t> seen_;
    std::array<std::vector<Option>, max_ply> moves_;
    std::array<std::vector<Stones>, max_ply + 1> lines_;
    std::vector<Line> root_lines_;
    std::vector<Stones> verified_;
    std::chrono::steady_clock::time_point polled_ = std::chrono::steady_clock::now();
    std::uint64_t nodes_ = 0;
    int depth_ = 0, lines_wanted_ = 1, steady_ = 0, breadth_ = 1;
    bool is_complete_ = false;  // whether no move beside those of the root could help
    bool stopped_ = false;
};

}  // namespace tengen
