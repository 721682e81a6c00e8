package io.asynq.internal.group;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Repairs groups after servers that are gone.
 */
public final class GroupRecovery {

	private static final Logger logger = OneLineLogger.of(GroupRecovery.class);

	private final GroupStore groups;

	public GroupRecovery(GroupStore groups) {
		this.groups = groups;
	}

	public void sweep(String queue) {
		GroupStore.Relisted relisted = this.groups.relist(queue);
		if (relisted.groups() + relisted.sets() > 0) {
			logger.warn("Queue {} had {} groups that were not listed and {} sets whose aggregation did not end:"
					+ " all are visible again", queue, relisted.groups(), relisted.sets());
		}
		int deleted = this.groups.deleteLeftOver(queue);
		if (deleted > 0) {
			logger.info("Queue {}: deleted {} tasks that a server which is gone had aggregated", queue, deleted);
		}
		int crashed = this.groups.countCrashed(queue);
		if (crashed > 0) {
			logger.warn("Queue {}: {} aggregators were running when their servers went down; the tasks of a group are"
					+ " archived when that happens more often than 'asynq.server.max-crashes'", queue, crashed);
		}
	}

}
