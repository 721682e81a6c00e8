package io.asynq.lifecycle;

import java.util.function.BooleanSupplier;

/**
 * What the loops share that start and stop together.
 *
 * @param autoStartup whether they start with the application context; asked when that
 * starts
 * @param errors where their errors are logged
 * @param stops how long they may take to stop
 */
public record Loops(BooleanSupplier autoStartup, LoopErrorLog errors, StopBudget stops) {
}
