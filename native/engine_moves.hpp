// Which moves the engine tries: a tree of single stones. The squares that matter most, for each of them the best partners, and of
// all these the moves that leave the best position.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>

#include "engine_board.hpp"

namespace tengen {

// How many squares are looked at for the first stone of a move, for each further one, and how many moves are kept.
struct Breadth {
    int width, points, partners;
    int attacks = 0;    // without a policy: number of further moves, those that build most
    double cutoff = 5;  // with a policy: squares are skipped whose log-probability is so much below that of the best

    Breadth times(int factor) const {
        return {width * factor * factor, points * factor, partners * factor, attacks * factor * factor, cutoff * factor};
    }

    // Every further stone multiplies the moves: where there are more than a few, there are fewer squares for each.
    static constexpr int few = 4;
    Breadth for_stones(int stones) const {
        return stones <= few ? *this : Breadth{width, std::max(2, points * few / stones), std::max(2, partners * few / stones), attacks, cutoff};
    }
};

struct Option {
    Stones move;
    int score;       // by which moves are ordered: log-probability of the policy, or score of the position after the move
    int attack = 0;  // without a policy: score of the position if the same side moved again
};

template <class PositionType>
class EngineMoves {
public:
    using ZoneType = typename PositionType::ZoneType;
    using SquareSet = typename PositionType::SquareSet;

    // Lists are cut short, though not empty, when `is_over` says so.
    EngineMoves(EngineBoard<PositionType>& board, std::function<bool()> is_over)
        : board_(board), ask_(std::move(is_over)), patience_(ask_), neighbours_(std::size_t(board.geometry().squares)) {
        const Geometry& g = board.geometry();
        for (int y = 0; y < g.height; ++y)
            for (int x = 0; x < g.width; ++x)
                for (int dy = -reach; dy <= reach; ++dy)
                    for (int dx = -reach; dx <= reach; ++dx)
                        if ((dx == 0 || dy == 0 || std::abs(dx) == std::abs(dy)) && x + dx >= 0 && x + dx < g.width && y + dy >= 0 && y + dy < g.height)
                            neighbours_[std::size_t(x + y * g.width)].add(Square(x + dx + (y + dy) * g.width));
    }

    // Lists the moves to try, best first: they meet all threats, and touch the zone if there is one. Returns true if no other move
    // could help.
    bool list(int side, int stones, const Breadth& breadth, const std::optional<ZoneType>& zone, std::vector<Option>& out) {
        const int left = std::min(stones, board_.empty().count());
        begin(side, left, zone, breadth.cutoff, out);
        std::vector<Stones> defences;
        bool all = board_.defences_against(1 - side, left, defences, ask_);
        const Breadth narrower = breadth.for_stones(left);
        for (const Stones& defence : defences) {
            all &= defence.count == left;
            const double probability = log_probability(defence, left);
            board_.play(defence, side);
            all &= extend(defence, probability, left - defence.count, narrower.points, narrower.partners);
            board_.take_back(defence, side);
            if (is_cut_short()) break;
        }
        return !keep_best(breadth) && all;
    }

    // Lists moves in a position where none helps any more.
    void list_any(int side, int stones, const Breadth& breadth, std::vector<Option>& out) {
        const int left = std::min(stones, board_.empty().count());
        begin(side, left, std::nullopt, breadth.cutoff, out);
        const Breadth narrower = breadth.for_stones(left);
        extend(Stones(), 0, left, narrower.points, narrower.partners);
        keep_best(breadth);
    }

    // A move that completes a row and is none of `left_out`; stones that the row does not need stand anywhere, if possible near.
    bool complete_row(int side, int stones, const std::vector<Stones>& left_out, Stones& move) const {
        const PositionType& board = board_.of(side);
        const int count = std::min(stones, board_.empty().count());
        std::vector<SegmentId> segments;
        board.each_open(attacker, std::max(1, board.k() - stones), [&segments](SegmentId id) { segments.push_back(id); });
        for (int id = 0; stones >= board.k() && id < board.geometry().segments; ++id)
            if (board.is_untouched(id)) segments.push_back(SegmentId(id));
        std::vector<Square> others;
        const SquareSet near = near_squares(stones);
        near.each([&others](Square s) { others.push_back(s); });
        board_.empty().each([&](Square s) {
            if (!near.has(s)) others.push_back(s);
        });
        return std::any_of(segments.begin(), segments.end(), [&](SegmentId id) {
            move = Stones();
            board.each_empty(id, [&move](Square s) { move.add(s); });
            return fill_up(move, count, others, 0, left_out);
        });
    }

private:
    static constexpr int reach = 3;
    static constexpr double score_unit = 4096;  // scores of moves per unit of log-probability

    // Adds squares, from one on, until the move has so many stones and is none of `left_out`.
    static bool fill_up(Stones& move, int count, const std::vector<Square>& squares, std::size_t from, const std::vector<Stones>& left_out) {
        if (move.count == count) {
            Stones sorted = move;
            sorted.sort();
            if (std::find(left_out.begin(), left_out.end(), sorted) != left_out.end()) return false;
            move = sorted;
            return true;
        }
        for (std::size_t i = from; i < squares.size(); ++i) {
            if (move.has(squares[i])) continue;
            move.add(squares[i]);
            if (fill_up(move, count, squares, i + 1, left_out)) return true;
            --move.count;
        }
        return false;
    }

    void begin(int side, int stones, const std::optional<ZoneType>& zone, double cutoff, std::vector<Option>& out) {
        side_ = side;
        cutoff_ = cutoff;
        zone_ = zone;
        near_ = near_squares(stones);
        seen_.clear();
        out.clear();
        out_ = &out;
        patience_ = Patience(ask_);
    }

    bool is_cut_short() { return !out_->empty() && patience_.is_over(); }

    // True if some had to go. The opponent is to move after each, so the score thinks more of blocking than of building; a quiet move
    // that wins builds.
    bool keep_best(const Breadth& breadth) {
        std::stable_sort(out_->begin(), out_->end(), [](const Option& a, const Option& b) { return a.score > b.score; });
        const auto size = std::ptrdiff_t(out_->size());
        if (size <= breadth.width) return false;
        const auto others = out_->begin() + breadth.width;
        const int attacks = board_.evaluation().has_policy() ? 0 : breadth.attacks;
        const auto kept = others + std::min<std::ptrdiff_t>(attacks, size - breadth.width);
        std::partial_sort(others, kept, out_->end(), [](const Option& a, const Option& b) { return a.attack > b.attack; });
        const bool all = kept == out_->end();
        out_->erase(kept, out_->end());
        return !all;
    }

    // Empty squares in line with a stone and near it; all of them where there are too few.
    SquareSet near_squares(int stones) const {
        SquareSet near;
        for (Square s = 0; s < board_.geometry().squares; ++s)
            if (!board_.is_empty(s)) near |= neighbours_[s];
        for (std::size_t i = 0; i < near.words.size(); ++i) near.words[i] &= board_.empty().words[i];
        return near.count() >= stones ? near : board_.empty();
    }

    // Adds the moves that begin with the stones chosen, whose log-probability is given. Returns false if it was cut short.
    bool extend(const Stones& chosen, double probability, int left, int points, int partners) {
        if (left == 0) {
            add(chosen, probability);
            return true;
        }
        std::vector<ScoredSquare> squares;
        near_.each([&](Square s) {
            if (!board_.is_empty(s) || chosen.has(s)) return;
            // Every set of stones that touches the zone has one in its part for so many stones.
            if (zone_ && chosen.count == 0 && left <= ZoneType::orders && !zone_->z[std::size_t(left) - 1].has(s)) return;
            squares.push_back({s});
        });
        Evaluation& evaluation = board_.evaluation();
        evaluation.score_squares(side_, left, squares);
        const double total = log_total(squares);
        const auto best = squares.begin() + std::min<std::ptrdiff_t>(points, std::ptrdiff_t(squares.size()));
        std::partial_sort(squares.begin(), best, squares.end(), [](const ScoredSquare& a, const ScoredSquare& b) {
            return a.score != b.score ? a.score > b.score : a.square < b.square;
        });
        squares.erase(best, squares.end());
        if (evaluation.has_policy() && !squares.empty()) {
            const double least = squares.front().score - cutoff_ * Evaluation::policy_unit;
            std::erase_if(squares, [least](const ScoredSquare& scored) { return scored.score < least; });
        }
        for (const auto& [s, score] : squares) {  // the boards are not asked here, and cost more to change than the evaluation
            evaluation.place(s, side_);
            Stones more = chosen;
            more.add(s);
            const int further = std::max(chosen.count + 2 < Breadth::few ? 2 : 1, partners / 2);
            extend(more, probability + score / Evaluation::policy_unit - total, left - 1, partners, further);
            evaluation.remove(s, side_);
            if (is_cut_short()) return false;
        }
        return true;
    }

    // Log of the sum of the exponentials of policy logits; 0 without a policy.
    double log_total(const std::vector<ScoredSquare>& squares) const {
        if (!board_.evaluation().has_policy() || squares.empty()) return 0;
        const auto by_score = [](const ScoredSquare& a, const ScoredSquare& b) { return a.score < b.score; };
        const int highest = std::max_element(squares.begin(), squares.end(), by_score)->score;
        double sum = 0;
        for (const ScoredSquare& scored : squares) sum += std::exp((scored.score - highest) / Evaluation::policy_unit);
        return highest / Evaluation::policy_unit + std::log(sum);
    }

    // Log-probability that the policy places these stones, in their order, among the `left` stones of a turn.
    double log_probability(const Stones& stones, int left) {
        Evaluation& evaluation = board_.evaluation();
        if (!evaluation.has_policy()) return 0;
        double probability = 0;
        std::vector<ScoredSquare> squares;
        Stones placed;
        for (Square s : stones) {
            squares.clear();
            near_.each([&](Square other) {
                if (board_.is_empty(other) && !placed.has(other)) squares.push_back({other});
            });
            evaluation.score_squares(side_, left - placed.count, squares);
            const auto scored = std::find_if(squares.begin(), squares.end(), [s](const ScoredSquare& other) { return other.square == s; });
            if (scored != squares.end()) probability += scored->score / Evaluation::policy_unit - log_total(squares);
            evaluation.place(s, side_);
            placed.add(s);
        }
        for (Square s : placed) evaluation.remove(s, side_);
        return probability;
    }

    void add(Stones move, double probability) {
        if (zone_ && !touches(move, *zone_)) return;
        move.sort();
        std::uint64_t key = 0;
        for (Square s : move) key ^= stone_key(s, 0, 0);
        const auto [place, is_new] = seen_.try_emplace(key, out_->size());
        if (board_.evaluation().has_policy()) {
            const int score = int(std::lround(probability * score_unit));
            if (is_new) {
                out_->push_back({move, score});
            } else {  // the same stones in another order: the probabilities add up
                int& known = (*out_)[place->second].score;
                known = std::max(known, score) + int(std::lround(std::log1p(std::exp(-std::abs(known - score) / score_unit)) * score_unit));
            }
        } else if (is_new) {
            out_->push_back({move, -board_.evaluation().order_value(1 - side_), board_.evaluation().order_value(side_)});
        }
    }

    // Whether a set of stones could matter: it can be ordered so that the i-th is not in Z_i unless some Z_j holds j of them.
    static bool touches(const Stones& stones, const ZoneType& zone) {
        for (int j = 1; j <= std::min(stones.count, int(ZoneType::orders)); ++j) {
            int inside = 0;
            for (Square s : stones) inside += zone.z[std::size_t(j) - 1].has(s);
            if (inside >= j) return true;
        }
        return stones.count > ZoneType::orders;  // beyond that, every empty square counts
    }

    EngineBoard<PositionType>& board_;
    std::function<bool()> ask_;
    Patience<std::function<bool()>> patience_;  // of the list that is being made
    std::vector<SquareSet> neighbours_;
    // Of the list that is being made:
    int side_ = black;
    std::optional<ZoneType> zone_;
    double cutoff_ = 0;
    SquareSet near_;
    std::unordered_map<std::uint64_t, std::size_t> seen_;  // place of each move in the list
    std::vector<Option>* out_ = nullptr;
};

}  // namespace tengen
