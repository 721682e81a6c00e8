package io.asynq.server;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.broker.AggregationStatus;
import io.asynq.broker.AggregatorKeeper;
import io.asynq.broker.Broker;
import io.asynq.broker.CrashRecord;
import io.asynq.broker.DueGroups;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.GroupStore;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * One group without a store, whose tasks are staged once, for two minutes.
 */
final class FakeGroups implements GroupStore {

	static final String QUEUE = "default";

	/** Ids of what has become another task. */
	final List<String> finished = new CopyOnWriteArrayList<>();

	/** Ids of what was archived, each with its error. */
	final List<String> archived = new CopyOnWriteArrayList<>();

	/** The sets that went back. */
	final List<StagedGroup> givenBack = new CopyOnWriteArrayList<>();

	/** Whether somebody who was interrupted came to store something. */
	volatile boolean interrupted;

	/** What happens while a set is staged. */
	Runnable onStage = () -> {
	};

	/** What is known of servers that died over the group. */
	CrashRecord record = CrashRecord.CLEAN;

	/** What happens while the tasks of a set are read. */
	Runnable onRead = () -> {
	};

	/** How aggregators have ended. */
	final List<AggregatorKeeper.End> ends = new CopyOnWriteArrayList<>();

	/** When the set that was staged last expires, in nano time. */
	volatile long endNanos;

	private final AggregatorKeeper aggregators = new Aggregators();

	private final Clock clock;

	private final List<TaskMessage> waiting = new ArrayList<>();

	FakeGroups(Clock clock, String... ids) {
		this.clock = clock;
		for (String id : ids) {
			this.waiting.add(TaskMessage.builder("type", id, QUEUE)
				.group("g")
				.payload(id.getBytes(StandardCharsets.UTF_8))
				.build());
		}
	}

	Broker broker() {
		return (Broker) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Broker.class },
				(proxy, method, args) -> {
					if (method.getName().equals("groupStore")) {
						return this;
					}
					if (method.getName().equals("aggregators")) {
						return this.aggregators;
					}
					return method.getReturnType().isPrimitive() ? false : null;
				});
	}

	@Override
	public DueGroups due(String queue, GroupLimits limits, @Nullable String from) {
		return new DueGroups(List.of("g"), null, null);
	}

	@Override
	public @Nullable StagedGroup stage(String queue, String group, GroupLimits limits) {
		this.onStage.run();
		this.endNanos = System.nanoTime() + Duration.ofMinutes(2).toNanos();
		return new StagedGroup(queue, group, "set", this.waiting.size(),
				this.clock.instant().plus(Duration.ofMinutes(2)), this.endNanos);
	}

	@Override
	public List<TaskMessage> read(StagedGroup staged) {
		this.onRead.run();
		return List.copyOf(this.waiting);
	}

	@Override
	public AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task) {
		this.interrupted |= Thread.currentThread().isInterrupted();
		members.forEach((member) -> this.finished.add(member.id()));
		return AggregationStatus.ENQUEUED;
	}

	@Override
	public void giveBack(StagedGroup staged) {
		this.givenBack.add(staged);
	}

	@Override
	public void archive(StagedGroup staged, List<TaskMessage> members, String error) {
		members.forEach((member) -> this.archived.add(member.id() + ": " + error));
	}

	@Override
	public int deleteLeftOver(String queue) {
		return 0;
	}

	private final class Aggregators implements AggregatorKeeper {

		@Override
		public CrashRecord begin(StagedGroup staged) {
			return FakeGroups.this.record;
		}

		@Override
		public void end(StagedGroup staged, End how) {
			FakeGroups.this.ends.add(how);
		}

		@Override
		public int countCrashed(String queue) {
			return 0;
		}

	}

}
