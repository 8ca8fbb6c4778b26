// Which moves a proof search tries where the attacker is to move: the best few of those that threaten, and, in searches of high
// order, of the quiet ones.
#pragma once

#include "solver.hpp"

namespace tengen {

struct AttackMove {
    Stones stones;
    int threats;   // how many stones it takes to meet it
    int defences;  // how many critical defences it has
    int score;
};

template <class PositionType>
class AttackMoves {
public:
    using SquareSet = typename PositionType::SquareSet;

    AttackMoves(PositionType& position, Solver<PositionType>& solver) : position_(position), solver_(solver), pairs_(position) {}

    // The most promising moves with at least `least` threats: up to `width` that threaten, and `quiet_width` that do not. A stone
    // that is not needed for the threats should build on a segment that holds `built_on` stones or more.
    void choose(int stones, int least, int width, int quiet_width, int built_on, std::vector<AttackMove>& out) {
        out.clear();
        solver_.list_moves(stones, std::max(1, least), [&] { return position_.squares_on_open(attacker, built_on); }, candidates_);
        rank(width, out);
        if (least > 0) return;
        list_quiet(stones);
        std::vector<AttackMove> quiet;
        rank(quiet_width, quiet);
        out.insert(out.end(), quiet.begin(), quiet.end());
    }

private:
    static constexpr int looked_at = 4;  // times the width: how many of the moves that look best at once are looked at twice
    static constexpr std::uint8_t needs_one = 1, live_with_two = 2;

    // Two looks at each move: what it builds, then what is left of it after the best defence.
    void rank(int width, std::vector<AttackMove>& out) {
        std::vector<AttackMove> looked;
        Patience patience([this] { return solver_.is_over(); });
        for (const Candidate& candidate : candidates_) {
            if (patience.is_over()) return;
            with(candidate.move, [&] {
                if (!position_.threatens(defender)) looked.push_back({candidate.move, candidate.threats, 0, potential()});
            });
        }
        const auto by_score = [](const AttackMove& a, const AttackMove& b) { return a.score > b.score; };
        std::stable_sort(looked.begin(), looked.end(), by_score);
        if (looked.size() > std::size_t(width * looked_at)) looked.resize(std::size_t(width * looked_at));
        for (AttackMove& move : looked) with(move.stones, [&] {
            if (!solver_.list_defences(defences_)) return;
            move.threats = solver_.threats();
            move.defences = int(defences_.size());
            move.score = defences_.empty() ? 1 << 20 : move.score;
            for (const Stones& defence : defences_) {
                for (Square s : defence) position_.place(s, defender);
                move.score = std::min(move.score, potential());
                for (Square s : defence) position_.remove(s);
            }
        });
        std::stable_sort(looked.begin(), looked.end(), by_score);
        for (const AttackMove& move : looked) {
            if (out.size() == std::size_t(width)) return;
            bool keep = true;
            if (move.threats > 0 && move.threats < position_.p()) with(move.stones, [&] { keep = is_promising(); });
            if (keep) out.push_back(move);
        }
    }

    // Moves without a threat, made of the squares that matter most to both sides; all threats of the defender are met.
    void list_quiet(int stones) {
        candidates_.clear();
        std::vector<std::pair<int, Square>> squares;
        position_.empty().each([&](Square s) { squares.emplace_back(-value_of(s), s); });
        std::sort(squares.begin(), squares.end());
        const std::size_t best = stones == 1 ? 64 : stones == 2 ? 28 : 14;
        if (squares.size() > best) squares.resize(best);
        Stones chosen;
        combine(chosen, stones, 0, squares);
        const auto is_before = [](const Candidate& a, const Candidate& b) { return a.move < b.move; };
        std::sort(candidates_.begin(), candidates_.end(), is_before);
        const auto is_same = [](const Candidate& a, const Candidate& b) { return a.move == b.move; };
        candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), is_same), candidates_.end());
    }

    void combine(Stones& chosen, int left, std::size_t from, const std::vector<std::pair<int, Square>>& squares) {
        if (solver_.is_over()) return;
        if (left == 0) {
            Stones move = chosen;
            move.sort();
            if (position_.threatens(defender) || solver_.threats() > 0) return;
            candidates_.push_back({move, 0, 0});
            return;
        }
        if (const int unmet = position_.fillable(defender, position_.p()); unmet >= 0) {
            position_.each_empty(unmet, [&](Square s) { extend(chosen, s, left, from, squares); });
            return;
        }
        for (std::size_t i = from; i < squares.size(); ++i)
            if (position_.is_empty(squares[i].second)) extend(chosen, squares[i].second, left, i + 1, squares);
    }

    void extend(Stones& chosen, Square s, int left, std::size_t from, const std::vector<std::pair<int, Square>>& squares) {
        position_.place(s, attacker);
        chosen.add(s);
        combine(chosen, left - 1, from, squares);
        --chosen.count;
        position_.remove(s);
    }

    int value_of(Square s) const {
        int value = 0;
        position_.each_through(s, [&](int ours, int theirs) {
            if (theirs == 0) value += 2 * (ours + 1) * (ours + 1) * (ours + 1);
            if (ours == 0) value += theirs * theirs * theirs;
        });
        return value;
    }

    // Segments that one more stone, or two, make a threat.
    int potential() const {
        const int near = position_.k() - position_.p() - 1;
        int value = 0;
        if (near >= 1) value += 4 * position_.open(attacker, near).size() - 2 * position_.open(defender, near).size();
        if (near >= 2) value += position_.open(attacker, near - 1).size();
        return value;
    }

    // Which moves with fewer than p threats are worth a try (Wu, Huang and Chang, section 4.2). Highly potential lines are those
    // that one more stone, or two more as live ones, turn into threats; those that threaten already do not count. Either the
    // defender has no line that one stone makes a threat and the attacker two potential ones, or he has some but none of them
    // live, and the attacker has three of which one needs a single stone.
    bool is_promising() {
        const int near = position_.k() - position_.p() - 1;
        if (position_.p() != 2 || near < 2) return true;
        marks_.assign(std::size_t(position_.geometry().lines), 0);
        position_.open(attacker, near).each([this](SegmentId id) { marks_[position_.geometry().segment_line[id]] |= needs_one; });
        pairs_.mark_live_lines(marks_, live_with_two);
        position_.each_open(attacker, near + 1, [this](SegmentId id) { marks_[position_.geometry().segment_line[id]] = 0; });
        int potential = 0, needing_one = 0;
        for (std::uint8_t mark : marks_) {
            potential += mark != 0;
            needing_one += (mark & needs_one) != 0;
        }
        if (position_.open(defender, near).empty()) return potential >= 2;
        return needing_one >= 1 && potential >= 3 && !defender_has_live_line(near);
    }

    // Whether one stone of the defender makes two threats on a line: no square meets all it would threaten there.
    bool defender_has_live_line(int near) const {
        bool live = false;
        position_.open(defender, near).each([&](SegmentId id) {
            const std::uint16_t line = position_.geometry().segment_line[id];
            position_.each_empty(id, [&](Square s) {
                if (live) return;
                SquareSet meets_all;
                position_.each_empty(id, [&](Square e) {
                    if (e != s) meets_all.add(e);
                });
                position_.open(defender, near).each([&](SegmentId other) {
                    if (position_.geometry().segment_line[other] != line) return;
                    SquareSet squares;
                    position_.each_empty(other, [&squares](Square e) { squares.add(e); });
                    if (!squares.has(s)) return;
                    for (std::size_t i = 0; i < squares.words.size(); ++i) meets_all.words[i] &= squares.words[i];
                });
                live = meets_all.empty();
            });
        });
        return live;
    }

    template <class Look>
    void with(const Stones& move, Look look) {
        for (Square s : move) position_.place(s, attacker);
        look();
        for (Square s : move) position_.remove(s);
    }

    PositionType& position_;
    Solver<PositionType>& solver_;
    PairGenerator<PositionType> pairs_;
    std::vector<Candidate> candidates_;
    std::vector<Stones> defences_;
    std::vector<std::uint8_t> marks_;
};

}  // namespace tengen
