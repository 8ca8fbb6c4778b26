// Maker-breaker games on a board of squares and lines: the maker places up to p stones, the breaker answers with at most as
// many, and the maker wants a line for himself.
//
// A position with the maker to move is a set of lines without a breaker's stone, and the maker's stones on them. Four things make
// it small: a line that contains the rest of another one need not be watched; parts that share no square are games of their own,
// since the breaker answers each part with as many stones as were placed there; squares on the same lines are the same; and
// symmetries of the board.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "meter.hpp"

namespace tengen::maker_breaker {

using Bits = std::uint64_t;

inline Bits bit(int i) { return Bits(1) << i; }
inline int lowest(Bits bits) { return std::countr_zero(bits); }

template <class Action>
void each(Bits bits, Action action) {
    for (; bits; bits &= bits - 1) action(lowest(bits));
}

// A connected position: its lines, and the maker's stones on them.
struct Part {
    Bits lines = 0, stones = 0;
    auto operator<=>(const Part&) const = default;
};

struct PartHash {
    std::size_t operator()(const Part& part) const {
        Bits h = part.lines * 0x9e3779b97f4a7c15u ^ part.stones;
        h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
        return std::size_t(h ^ h >> 29);
    }
};

using Parts = std::vector<Part>;

class Board {
public:
    // The maker has won when he is to move and so many squares of a line without the breaker's stones are missing as its `reach`
    // says, or fewer. On squares of `reserved` only the breaker may play; the maker needs none of them. Each symmetry says where
    // the squares go.
    Board(int squares, std::vector<Bits> lines, const std::vector<std::vector<int>>& symmetries, int p, std::vector<int> reach,
          Bits reserved)
        : squares(squares), p(p), reserved(reserved), lines(std::move(lines)), reach(std::move(reach)), through(std::size_t(squares)) {
        for (std::size_t line = 0; line < this->lines.size(); ++line)
            each(this->lines[line], [&](int square) { through[std::size_t(square)] |= bit(int(line)); });
        for (const auto& images : symmetries) add_symmetry(images);
    }

    // What the maker still needs of a line.
    Bits rest(int line, Bits stones) const { return lines[std::size_t(line)] & ~stones & ~reserved; }

    bool is_within_reach(int line, Bits stones) const { return std::popcount(rest(line, stones)) <= reach[std::size_t(line)]; }

    Bits all_lines() const { return lines.size() == 64 ? ~Bits(0) : bit(int(lines.size())) - 1; }

    bool is_lost(Bits active, Bits stones) const {
        bool lost = false;
        each(active, [&](int line) { lost |= is_within_reach(line, stones); });
        return lost;
    }

    // The parts of a position in their normal form.
    Parts parts(Bits active, Bits stones) const {
        active = without_longer(active, stones);
        Parts found;
        while (active) {
            Bits part = 0, border = active & -active;
            while (border) {
                part |= border;
                Bits next = 0;
                each(border, [&](int line) { each(rest(line, stones), [&](int square) { next |= through[std::size_t(square)]; }); });
                border = next & active & ~part;
            }
            active &= ~part;
            found.push_back(normal({part, stones}));
        }
        return found;
    }

    // The empty squares of a position, those on the same lines together.
    std::vector<Bits> classes(Bits active, Bits stones) const {
        Bits left = 0;
        each(active, [&](int line) { left |= lines[std::size_t(line)]; });
        left &= ~stones;
        std::vector<Bits> found;
        while (left) {
            const int first = lowest(left);
            Bits same = 0;
            each(left, [&](int square) {
                if (is_same(first, square, active)) same |= bit(square);
            });
            found.push_back(same);
            left &= ~same;
        }
        return found;
    }

    const int squares, p;
    const Bits reserved;
    const std::vector<Bits> lines;
    const std::vector<int> reach;
    std::vector<Bits> through;  // by square, the lines through it

private:
    struct Symmetry {
        std::vector<int> squares, lines;
    };

    void add_symmetry(const std::vector<int>& images) {
        Symmetry symmetry{images, {}};
        for (Bits line : lines) {
            const auto image = std::find(lines.begin(), lines.end(), moved(line, images));
            const auto number = std::size_t(image - lines.begin());
            if (image == lines.end() || moved(reserved, images) != reserved || reach[number] != reach[symmetry.lines.size()])
                throw std::invalid_argument("no symmetry of the board");
            symmetry.lines.push_back(int(number));
        }
        symmetries_.push_back(symmetry);
    }

    static Bits moved(Bits bits, const std::vector<int>& images) {
        Bits image = 0;
        each(bits, [&](int i) { image |= bit(images[std::size_t(i)]); });
        return image;
    }

    // Squares on the same lines of a position differ only if the maker may not use one of them.
    bool is_same(int a, int b, Bits active) const {
        return ((through[std::size_t(a)] ^ through[std::size_t(b)]) & active) == 0 && (reserved >> a & 1) == (reserved >> b & 1);
    }

    Bits without_longer(Bits active, Bits stones) const {
        Bits kept = active;
        each(active, [&](int line) {
            const Bits own = rest(line, stones);
            each(kept & ~bit(line), [&](int other) {
                const Bits shorter = rest(other, stones);
                const int gain = reach[std::size_t(other)] - reach[std::size_t(line)];
                if ((shorter & ~own) == 0 && gain >= 0 && (shorter != own || gain > 0 || other < line)) kept &= ~bit(line);
            });
        });
        return kept;
    }

    Part normal(const Part& part) const {
        Part least = gathered(part);
        for (const Symmetry& symmetry : symmetries_)
            least = std::min(least, gathered({moved(part.lines, symmetry.lines), moved(part.stones, symmetry.squares)}));
        return least;
    }

    // Stones of squares that are the same move to the lowest of them; those on no line of the part go.
    Part gathered(const Part& part) const {
        Part result{part.lines, 0};
        for (Bits same : classes(part.lines, 0))
            for (int count = std::popcount(same & part.stones); count > 0; --count) {
                result.stones |= same & -same;
                same &= same - 1;
            }
        return result;
    }

    std::vector<Symmetry> symmetries_;
};

// A move of the maker in a part, and the breaker's reply.
struct Answer {
    Bits move, reply;
};

class Search {
public:
    Search(const Board& board) : board_(board) {}

    // Whether the breaker holds with the maker to move. Throws Stopped.
    bool holds(Bits active, Bits stones, Meter& meter) {
        meter_ = &meter;
        return !board_.is_lost(active, stones) && all_hold(board_.parts(active, stones));
    }

    // A part, and the moves in it that have an answer of their own. Any other move contains one of these whose reply leaves the rest
    // of the move empty; that rest is answered afterwards, as if it had come later.
    struct Node {
        Part part;
        std::vector<Answer> answers;
    };

    // The breaker's strategy; only after `holds` has said yes. It prefers replies that lead to parts which it has already.
    std::vector<Node> strategy(Bits active, Bits stones) const {
        std::vector<Node> nodes;
        std::unordered_set<Part, PartHash> listed;
        const auto list = [&](const Parts& parts) {
            for (const Part& part : parts)
                if (listed.insert(part).second) nodes.push_back({part, {}});
        };
        list(board_.parts(active, stones));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Part part = nodes[i].part;
            std::vector<Answer> answers;
            const auto classes = maker_classes(part);
            const auto answer = [&](Bits move) {
                if (is_covered(part, move, answers)) return true;
                const Reply reply = best_reply(part, move, listed);
                answers.push_back({move, reply.stones});
                list(board_.parts(reply.left, part.stones | move));
                return true;
            };
            for (int stones_of_move = 1; stones_of_move <= board_.p; ++stones_of_move)
                each_choice(classes, 0, stones_of_move, 0, answer);
            nodes[i].answers = std::move(answers);
        }
        return nodes;
    }

    std::size_t positions() const { return known_.size(); }

private:
    struct Reply {
        Bits stones, left;  // left: the lines that stay
        double danger;
    };

    bool all_hold(Parts parts) {
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return std::popcount(a.lines) < std::popcount(b.lines); });
        return std::all_of(parts.begin(), parts.end(), [this](const Part& part) { return part_holds(part); });
    }

    bool part_holds(const Part& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second;
        meter_->count();
        bool holds = true;
        // Threats first: with all his stones the maker is refuted, or wins, more quickly.
        each_move(part, [&](Bits move) { return holds = is_answered(part, move); });
        known_.emplace(part, holds);
        return holds;
    }

    bool is_answered(const Part& part, Bits move) {
        if ((++asked_ & 63) == 0) meter_->look();  // a position may have very many moves
        const Bits stones = part.stones | move;
        const auto candidates = replies(part.lines, stones, std::popcount(move), false);
        std::vector<Parts> nexts;
        for (const Reply& reply : candidates) {
            nexts.push_back(board_.parts(reply.left, stones));
            const auto holds = [this](const Part& next) { return is_known_to_hold(next); };
            if (std::all_of(nexts.back().begin(), nexts.back().end(), holds)) return true;
        }
        return std::any_of(nexts.begin(), nexts.end(), [this](const Parts& next) { return all_hold(next); });
    }

    std::vector<Bits> maker_classes(const Part& part) const {
        std::vector<Bits> classes = board_.classes(part.lines, part.stones);
        std::erase_if(classes, [this](Bits same) { return same & board_.reserved; });
        return classes;
    }

    // All moves that differ, those with most stones first; stops when the action says no.
    template <class Action>
    void each_move(const Part& part, Action action) const {
        const auto classes = maker_classes(part);
        for (int stones = board_.p; stones >= 1; --stones)
            if (!each_choice(classes, 0, stones, 0, action)) return;
    }

    bool is_covered(const Part& part, Bits move, const std::vector<Answer>& answers) const {
        const auto classes = board_.classes(part.lines, part.stones);
        return std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
            return std::all_of(classes.begin(), classes.end(), [&](Bits same) {
                const auto count = [same](Bits squares) { return std::popcount(squares & same); };
                return count(answer.move) <= count(move) && count(move) + count(answer.reply) <= std::popcount(same);
            });
        });
    }

    // Of the replies that are known to hold, the one with the fewest parts that are not listed yet.
    Reply best_reply(const Part& part, Bits move, const std::unordered_set<Part, PartHash>& listed) const {
        const Reply* best = nullptr;
        int fewest = 0;
        const auto candidates = replies(part.lines, part.stones | move, std::popcount(move), true);
        for (const Reply& reply : candidates) {
            int fresh = 0;
            bool known = true;
            for (const Part& next : board_.parts(reply.left, part.stones | move)) {
                known &= is_known_to_hold(next);
                fresh += !listed.contains(next);
            }
            if (!known || (best && fresh >= fewest)) continue;
            best = &reply;
            if ((fewest = fresh) == 0) break;
        }
        if (!best) throw std::logic_error("a part that holds has no reply that holds");
        return *best;
    }

    bool is_known_to_hold(const Part& part) const {
        const auto found = known_.find(part);
        return found != known_.end() && found->second;
    }

    template <class Action>
    static bool each_choice(const std::vector<Bits>& classes, std::size_t first, int stones, Bits chosen, const Action& action) {
        if (stones == 0) return action(chosen);
        for (std::size_t i = first; i < classes.size(); ++i) {
            Bits same = classes[i], taken = chosen;
            for (int count = 1; count <= stones && same; ++count) {
                taken |= same & -same;
                same &= same - 1;
                if (!each_choice(classes, i + 1, stones - count, taken, action)) return false;
            }
        }
        return true;
    }

    // The breaker's replies that leave no line within the maker's reach, best first. `sparing`: also those with fewer stones.
    std::vector<Reply> replies(Bits active, Bits stones, int most, bool sparing) const {
        std::vector<Reply> found;
        std::unordered_set<Bits> seen;
        extend(active, stones, most, 0, sparing, found, seen);
        std::stable_sort(found.begin(), found.end(), [](const Reply& a, const Reply& b) { return a.danger < b.danger; });
        return found;
    }

    void extend(Bits active, Bits stones, int most, Bits reply, bool sparing, std::vector<Reply>& found,
                std::unordered_set<Bits>& seen) const {
        if (!seen.insert(active).second) return;
        Bits threat = 0;
        double danger = 0;
        each(active, [&](int line) {
            const Bits rest = board_.rest(line, stones);
            const int count = std::popcount(rest);
            danger += std::pow(0.75, count);  // other bases search more
            if (board_.is_within_reach(line, stones) && (!threat || std::popcount(threat) > count)) threat = board_.lines[std::size_t(line)] & ~stones;
        });
        if (!threat && (sparing || most == 0 || !active)) found.push_back({reply, active, danger});
        if (most == 0 || !active) return;
        // Of squares that all hit the same threat, one that hits more lines is as good.
        std::vector<Bits> classes = board_.classes(active, stones);
        for (Bits same : classes) {
            const int square = lowest(same);
            const Bits hit = board_.through[std::size_t(square)] & active;
            if (threat && !(threat >> square & 1)) continue;
            const auto is_better = [&](Bits other) {
                const Bits more = board_.through[std::size_t(lowest(other))] & active;
                return other != same && (hit & ~more) == 0 && (more != hit || lowest(other) < square);
            };
            if (std::any_of(classes.begin(), classes.end(), is_better)) continue;
            extend(active & ~hit, stones, most - 1, reply | bit(square), sparing, found, seen);
        }
    }

    const Board& board_;
    Meter* meter_ = nullptr;
    unsigned asked_ = 0;
    std::unordered_map<Part, bool, PartHash> known_;
};

}  // namespace tengen::maker_breaker
