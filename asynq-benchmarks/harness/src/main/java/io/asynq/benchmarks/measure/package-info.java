/**
 * What is measured, one class each.
 */
@NullMarked
package io.asynq.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
