/** The measures, one class each. */
@NullMarked
package io.asynq.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
