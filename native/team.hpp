// Several threads at one piece of work.
#pragma once

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tengen {

// Calls `lead()` on this thread and `help(number)`, numbered from 1, on each of the others, and returns when all have ended.
// Neither may throw. Where the system gives no more threads, those that it gave do the work.
template <class Lead, class Help>
void work_together(int threads, Lead lead, Help help) {
    std::vector<std::thread> helpers;
    try {
        for (int number = 1; number < threads; ++number) helpers.emplace_back(help, number);
    } catch (const std::exception&) {
    }
    lead();
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace tengen
