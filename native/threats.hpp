// Threats and how they can be met: hitting sets of the threat segments' empty squares.
#pragma once

#include <initializer_list>

#include "position.hpp"

namespace tengen {

// A few squares: the stones of a move or of a defence.
struct Stones {
    static constexpr int most = 8;
    std::array<Square, most> squares{};
    int count = 0;

    Stones() = default;
    Stones(std::initializer_list<Square> list) {
        for (Square s : list) add(s);
    }
    void add(Square s) { squares[std::size_t(count++)] = s; }
    bool has(Square s) const { return std::find(begin(), end(), s) != end(); }
    const Square* begin() const { return squares.data(); }
    const Square* end() const { return squares.data() + count; }
    void sort() { std::sort(squares.begin(), squares.begin() + count); }
    bool operator==(const Stones& other) const { return count == other.count && std::equal(begin(), end(), other.begin()); }
    bool operator<(const Stones& other) const { return std::lexicographical_compare(begin(), end(), other.begin(), other.end()); }
};

// For what may take long: asks its owner now and then whether anybody still waits for it. Asking costs more than a step.
template <class IsOver>
class Patience {
public:
    explicit Patience(IsOver is_over) : ask_(is_over) {}

    bool is_over() {
        if (++steps_ % steps_between == 0 && !over_) over_ = ask_();
        return over_;
    }

private:
    static constexpr int steps_between = 256;
    IsOver ask_;
    unsigned steps_ = 0;
    bool over_ = false;
};

// The empty squares of each threat segment, each set once. A segment with k-p or more stones has at most p of them.
class ThreatSet {
public:
    template <class Position>
    void collect(const Position& position, int side) {
        sets_.clear();
        position.each_open(side, std::max(1, position.k() - position.p()), [&](SegmentId id) {
            Stones set;
            position.each_empty(id, [&set](Square s) { set.add(s); });
            add(set);
        });
    }

    bool empty() const { return sets_.empty(); }
    const std::vector<Stones>& sets() const { return sets_; }

    // How many stones it takes to hit every set, or `limit`+1 if more than `limit`. Time grows fast with the limit: 0 if it is over
    // before that is known, so that nobody takes it for a win.
    template <class IsOver>
    int number(int limit, IsOver is_over) const {
        if (sets_.empty()) return 0;
        Patience patience(is_over);
        Stones chosen;
        for (int size = 1; size <= limit; ++size) {
            const bool ok = coverable(chosen, size, patience);
            if (patience.is_over()) return 0;
            if (ok) return size;
        }
        return limit + 1;
    }

    // Every set of at most `limit` stones that hits all threats and from which no stone can be left out. False if it is over before
    // all are found.
    template <class IsOver>
    bool defences(int limit, std::vector<Stones>& out, IsOver is_over) const {
        out.clear();
        Patience patience(is_over);
        Stones chosen;
        branch(chosen, limit, out, patience);
        if (patience.is_over()) return false;
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return true;
    }

private:
    void add(const Stones& set) {
        // A threat that is met whenever another one is met need not be kept.
        for (const Stones& other : sets_)
            if (std::all_of(other.begin(), other.end(), [&set](Square s) { return set.has(s); })) return;
        sets_.push_back(set);
    }

    const Stones* unhit(const Stones& chosen) const {
        for (const Stones& set : sets_)
            if (std::none_of(set.begin(), set.end(), [&chosen](Square s) { return chosen.has(s); })) return &set;
        return nullptr;
    }

    template <class Patience>
    bool coverable(Stones& chosen, int size, Patience& patience) const {
        const Stones* open = unhit(chosen);
        if (open == nullptr) return true;
        if (chosen.count == size || patience.is_over()) return false;
        for (Square s : *open) {
            chosen.add(s);
            const bool ok = coverable(chosen, size, patience);
            --chosen.count;
            if (ok) return true;
        }
        return false;
    }

    template <class Patience>
    void branch(Stones& chosen, int limit, std::vector<Stones>& out, Patience& patience) const {
        if (patience.is_over()) return;
        const Stones* open = unhit(chosen);
        if (open == nullptr) {
            if (is_minimal(chosen)) {
                Stones sorted = chosen;
                sorted.sort();
                out.push_back(sorted);
            }
            return;
        }
        if (chosen.count == limit) return;
        for (Square s : *open) {
            chosen.add(s);
            branch(chosen, limit, out, patience);
            --chosen.count;
        }
    }

    bool is_minimal(const Stones& chosen) const {
        for (int left_out = 0; left_out < chosen.count; ++left_out) {
            Stones rest;
            for (int i = 0; i < chosen.count; ++i)
                if (i != left_out) rest.add(chosen.squares[std::size_t(i)]);
            if (unhit(rest) == nullptr) return false;
        }
        return true;
    }

    std::vector<Stones> sets_;
};

}  // namespace tengen
