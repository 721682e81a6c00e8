package io.asynq.reliability.ledger;

import java.util.List;

/**
 * What is known of periodic tasks.
 *
 * @param fired tasks that handlers were given, each as often as it ran
 * @param schedulers the schedulers that had them
 */
public record Fires(List<Fired> fired, List<SchedulerLife> schedulers) {

}
