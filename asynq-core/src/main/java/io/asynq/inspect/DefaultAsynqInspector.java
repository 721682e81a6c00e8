package io.asynq.inspect;

import java.time.Clock;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.broker.ConsistencyChecker;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.QueueReader;
import io.asynq.broker.QueueStats;
import io.asynq.broker.TaskReader;

/**
 * The inspector over three roles of the broker.
 */
final class DefaultAsynqInspector implements AsynqInspector {

	private final QueueReader queues;

	private final TaskReader tasks;

	private final QueueRepair repair;

	private final Clock clock;

	DefaultAsynqInspector(QueueReader queues, TaskReader tasks, ConsistencyChecker consistency, Clock clock) {
		this.queues = queues;
		this.tasks = tasks;
		this.repair = new QueueRepair(consistency);
		this.clock = clock;
	}

	@Override
	public Set<String> queues() {
		return this.queues.queues();
	}

	@Override
	public QueueInfo queueInfo(String queue) {
		requireText("queue", queue);
		QueueStats stats = this.queues.stats(queue).orElseThrow(() -> new QueueNotFoundException(queue));
		return new QueueInfo(queue, stats, this.clock.instant());
	}

	@Override
	public TaskInfo taskInfo(String queue, String id) {
		requireText("queue", queue);
		requireText("id", id);
		return this.tasks.find(queue, id).orElseThrow(() -> notFound(queue, id));
	}

	@Override
	public Diagnosis diagnose(String queue, int page) {
		requireText("queue", queue);
		return this.repair.diagnose(queue, page);
	}

	@Override
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		requireText("queue", queue);
		return this.repair.repair(queue, kinds, dryRun);
	}

	private AsynqException notFound(String queue, String id) {
		return this.queues.stats(queue).isPresent() ? new TaskNotFoundException(queue, id)
				: new QueueNotFoundException(queue);
	}

	private static void requireText(String name, String value) {
		if (value == null || value.isBlank()) {
			throw new AsynqException("Argument '" + name + "' must not be blank, but is '" + value + "'");
		}
	}

}
