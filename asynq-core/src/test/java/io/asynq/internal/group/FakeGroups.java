package io.asynq.internal.group;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.group.GroupStore.AggregationStatus;
import io.asynq.internal.group.GroupStore.DueGroups;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.CrashRecord;
import org.jspecify.annotations.Nullable;

/**
 * One group without a store, whose tasks are staged once, for two minutes.
 */
final class FakeGroups extends GroupStore {

	static final String QUEUE = "default";

	/** Ids of aggregated tasks. */
	final List<String> finished = new CopyOnWriteArrayList<>();

	/** What was stored in place of them. */
	final List<EnqueueRequest> stored = new CopyOnWriteArrayList<>();

	/** Ids of archived tasks, each with its error. */
	final List<String> archived = new CopyOnWriteArrayList<>();

	/** Sets that were returned. */
	final List<StagedGroup> givenBack = new CopyOnWriteArrayList<>();

	/** Whether an interrupted thread tried to store something. */
	volatile boolean interrupted;

	/** Runs while a set is staged. */
	Runnable onStage = () -> {
	};

	/** The crash record of the group. */
	CrashRecord record = CrashRecord.CLEAN;

	/** Runs while the tasks of a set are read. */
	Runnable onRead = () -> {
	};

	/** How aggregators ended. */
	final List<End> ends = new CopyOnWriteArrayList<>();

	/** When the last staged set expires, in nano time. */
	volatile long endNanos;

	private final Clock clock;

	private final List<TaskMessage> waiting = new ArrayList<>();

	FakeGroups(Clock clock, String... ids) {
		super(null, null, null, null, null);
		this.clock = clock;
		for (String id : ids) {
			this.waiting.add(TaskMessage.builder("type", id, QUEUE)
				.group("g")
				.payload(id.getBytes(StandardCharsets.UTF_8))
				.build());
		}
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
		this.stored.add(task);
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
	public CrashRecord begin(StagedGroup staged) {
		return this.record;
	}

	@Override
	public void end(StagedGroup staged, End how) {
		this.ends.add(how);
	}

}
