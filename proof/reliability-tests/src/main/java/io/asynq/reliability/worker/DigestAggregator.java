package io.asynq.reliability.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.reliability.load.Deadly;
import io.asynq.reliability.load.Digest;
import io.asynq.reliability.load.Member;
import io.asynq.test.ledger.LedgerWriter;
import io.asynq.test.ledger.TaskKey;
import tools.jackson.databind.json.JsonMapper;

/** Takes a while, so that harm can come in between; one group ends the process. */
final class DigestAggregator implements TaskAggregatorFunction {

	private final JsonMapper json = new JsonMapper();

	private final AtomicInteger made = new AtomicInteger();

	private final LedgerWriter ledger;

	private final String worker;

	private final Duration time;

	DigestAggregator(LedgerWriter ledger, String worker, Duration time) {
		this.ledger = ledger;
		this.worker = worker;
		this.time = time;
	}

	@Override
	public Task aggregate(String queue, String group, List<Task> tasks) {
		if (group.endsWith(Deadly.GROUP)) {
			Runtime.getRuntime().halt(3);
		}
		List<String> members = tasks.stream().map((task) -> task.headers().get(Member.ID)).toList();
		TaskKey digest = new TaskKey(queue, this.worker + "-digest-" + this.made.incrementAndGet());
		this.ledger.aggregated(digest, members);
		LockSupport.parkNanos(this.time.toNanos());
		return Task.of(Digest.TYPE, this.json.writeValueAsBytes(Digest.of(members)))
			.withOptions(TaskOptions.of((options) -> options.taskId(digest.id())));
	}

}
