package io.asynq.test.ledger;

import java.util.List;

/**
 * The records of periodic tasks.
 *
 * @param fired the tasks that handlers got, once for each run
 * @param schedulers the schedulers that had the entries
 */
public record Fires(List<Fired> fired, List<SchedulerLife> schedulers) {

}
