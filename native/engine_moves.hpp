// Which moves the engine tries: a tree of single stones. The squares that matter most, for each of them the best partners, and of
// all these the moves that leave the best position.
#pragma once

#include <functional>
#include <optional>
#include <unordered_set>

#include "engine_board.hpp"

namespace tengen {

// How many squares are looked at for the first stone of a move, for each further one, and how many moves are kept.
struct Breadth {
    int width, points, partners;
    int attacks = 0;  // of the moves that were not kept, how many that build most are kept all the same

    Breadth times(int factor) const { return {width * factor * factor, points * factor, partners * factor, attacks * factor * factor}; }

    // Every further stone multiplies the moves: where there are more than a few, there are fewer squares for each.
    static constexpr int few = 4;
    Breadth for_stones(int stones) const {
        return stones <= few ? *this : Breadth{width, std::max(2, points * few / stones), std::max(2, partners * few / stones), attacks};
    }
};

struct Option {
    Stones move;
    int score;       // what the position is worth after it
    int attack = 0;  // and what it would be worth if it were the same side's turn again
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

    // The moves worth a try, the best first: they meet all threats, and touch the zone if there is one. True if no other move
    // could help.
    bool list(int side, int stones, const Breadth& breadth, const std::optional<ZoneType>& zone, std::vector<Option>& out) {
        const int left = std::min(stones, board_.empty().count());
        begin(side, left, zone, out);
        std::vector<Stones> defences;
        bool all = board_.defences_against(1 - side, left, defences, ask_);
        const Breadth narrower = breadth.for_stones(left);
        for (const Stones& defence : defences) {
            all &= defence.count == left;
            board_.play(defence, side);
            all &= extend(defence, left - defence.count, narrower.points, narrower.partners);
            board_.take_back(defence, side);
            if (is_cut_short()) break;
        }
        return !keep_best(breadth) && all;
    }

    // Where nothing helps any more: moves that look well all the same.
    void list_any(int side, int stones, const Breadth& breadth, std::vector<Option>& out) {
        const int left = std::min(stones, board_.empty().count());
        begin(side, left, std::nullopt, out);
        const Breadth narrower = breadth.for_stones(left);
        extend(Stones(), left, narrower.points, narrower.partners);
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

    void begin(int side, int stones, const std::optional<ZoneType>& zone, std::vector<Option>& out) {
        side_ = side;
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
        const auto kept = others + std::min<std::ptrdiff_t>(breadth.attacks, size - breadth.width);
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

    // False if it was cut short.
    bool extend(const Stones& chosen, int left, int points, int partners) {
        if (left == 0) {
            add(chosen);
            return true;
        }
        std::vector<std::pair<int, Square>> ranked;
        near_.each([&](Square s) {
            if (!board_.is_empty(s) || chosen.has(s)) return;
            // Every set of stones that touches the zone has one in its part for so many stones.
            if (zone_ && chosen.count == 0 && left <= ZoneType::orders && !zone_->z[std::size_t(left) - 1].has(s)) return;
            ranked.emplace_back(-board_.evaluation().interest(s, side_), s);
        });
        const auto best = ranked.begin() + std::min<std::ptrdiff_t>(points, std::ptrdiff_t(ranked.size()));
        std::partial_sort(ranked.begin(), best, ranked.end());
        ranked.erase(best, ranked.end());
        for (const auto& [value, s] : ranked) {  // the boards are not asked here, and cost more to change than the evaluation
            board_.evaluation().place(s, side_);
            Stones more = chosen;
            more.add(s);
            extend(more, left - 1, partners, std::max(chosen.count + 2 < Breadth::few ? 2 : 1, partners / 2));
            board_.evaluation().remove(s, side_);
            if (is_cut_short()) return false;
        }
        return true;
    }

    void add(Stones move) {
        if (zone_ && !touches(move, *zone_)) return;
        move.sort();
        std::uint64_t key = 0;
        for (Square s : move) key ^= stone_key(s, 0, 0);
        if (seen_.insert(key).second) out_->push_back({move, -board_.evaluation().promise(1 - side_), board_.evaluation().promise(side_)});
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
    SquareSet near_;
    std::unordered_set<std::uint64_t> seen_;
    std::vector<Option>* out_ = nullptr;
};

}  // namespace tengen
