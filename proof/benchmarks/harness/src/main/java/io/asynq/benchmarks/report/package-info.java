/** Figures, ratios and results, and how they are printed and written. */
@NullMarked
package io.asynq.benchmarks.report;

import org.jspecify.annotations.NullMarked;
