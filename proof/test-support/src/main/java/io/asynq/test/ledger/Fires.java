package io.asynq.test.ledger;

import java.util.List;

/**
 * @param fired the tasks that handlers got, once for each run
 */
public record Fires(List<Fired> fired, List<SchedulerLife> schedulers) {

}
