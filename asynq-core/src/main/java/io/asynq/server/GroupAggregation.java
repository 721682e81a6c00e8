package io.asynq.server;

import java.time.Duration;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.Task;
import io.asynq.broker.AggregationStatus;
import io.asynq.broker.CrashRecord;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupStore;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.TaskMessageFactory;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.RejectedTasksException;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * How one group becomes a task: stage, read, ask the aggregator, store. Whatever goes
 * wrong, the tasks go back to their group at once and are left alone for a while. Safe
 * for concurrent use.
 */
final class GroupAggregation {

	private static final Logger logger = OneLineLogger.of(GroupAggregation.class);

	private final ServerRuntime runtime;

	private final GroupStore store;

	private final AggregatedTaskFactory tasks;

	private final GroupBackOff backOff;

	/** Of thousands of groups all may fail at once. */
	private final LoopErrorLog failures = new LoopErrorLog();

	private final AggregatorCalls calls;

	GroupAggregation(ServerRuntime runtime, GroupBackOff backOff) {
		this.runtime = runtime;
		this.store = runtime.broker().groupStore();
		this.tasks = new AggregatedTaskFactory(new TaskMessageFactory(runtime.clock()));
		this.backOff = backOff;
		this.calls = new AggregatorCalls(runtime, backOff);
	}

	AggregatorCalls calls() {
		return this.calls;
	}

	/**
	 * Turns tasks of a group into one, if the group is due.
	 * @param group the group
	 * @return whether the group should be looked at again at once, because it may have
	 * more tasks than were taken
	 * @throws BrokerException if the group could not be looked at
	 */
	boolean run(GroupName group) {
		GroupAggregator aggregator = this.runtime.policies().aggregators().find(group.queue(), group.group());
		StagedGroup staged = (aggregator != null)
				? this.store.stage(group.queue(), group.group(), this.runtime.options().groupLimits(group.queue()))
				: null;
		if (staged == null) {
			return false;
		}
		AggregatorCall call = this.calls.add(staged, aggregator);
		try {
			CrashRecord record = this.runtime.broker().aggregators().begin(staged);
			int most = this.runtime.options().maxCrashes();
			return (most > 0 && record.crashes() > most) ? setAside(call, record) : aggregate(call);
		}
		catch (Throwable ex) {
			failed(call, ex);
			rethrowIfFatal(ex);
			return false;
		}
		finally {
			this.calls.remove(call);
		}
	}

	private boolean aggregate(AggregatorCall call) throws Throwable {
		StagedGroup staged = call.staged();
		GroupMembers members = GroupMembers.of(this.store.read(staged));
		while (!members.isEmpty() && call.begin()) {
			Task task = null;
			Throwable error = null;
			try {
				task = call.aggregator().aggregate(staged.queue(), staged.group(), members.tasks());
			}
			catch (Throwable ex) {
				error = ex;
			}
			if (!call.end()) {
				dropLateReturn(call, error);
				return false;
			}
			if (error == null) {
				store(call, members, task);
				return hasMore(staged);
			}
			members = withoutRejected(call, members, error);
		}
		this.store.giveBack(staged);
		return !call.isGivenUp() && hasMore(staged);
	}

	/**
	 * Archives the tasks of a group whose aggregator takes its servers down.
	 */
	private boolean setAside(AggregatorCall call, CrashRecord record) {
		StagedGroup staged = call.staged();
		String reason = "asynq: the aggregator of the task's group took down " + record.crashes()
				+ " servers (asynq.server.max-crashes): " + String.join(", ", record.deaths());
		List<TaskMessage> members = this.store.read(staged);
		this.store.archive(staged, members, reason);
		call.settle();
		this.store.giveBack(staged);
		logger.warn("Archived {} tasks of {}: {}", members.size(), call.group(), reason);
		return hasMore(staged);
	}

	private boolean hasMore(StagedGroup staged) {
		return staged.size() == this.runtime.options().groupLimits(staged.queue()).maxSize();
	}

	private void store(AggregatorCall call, GroupMembers members, @Nullable Task task) {
		if (task == null) {
			throw new AsynqException("The aggregator " + call.aggregator()
					+ " returned null: it must return a task, or throw what went wrong");
		}
		EnqueueRequest request = this.tasks.create(task, call.group());
		AggregationStatus status = this.store.finish(call.staged(), members.messages(), request);
		if (status != AggregationStatus.ENQUEUED) {
			throw new AsynqException(problem(status, request.message()));
		}
		this.backOff.succeeded(call.group());
		AggregationCounters counters = this.runtime.counters().aggregations(call.staged().queue());
		counters.succeeded.increment();
		counters.tasks.add(members.messages().size());
		logger.debug("{} tasks of {} became task {} (type '{}')", members.messages().size(), call.group(),
				request.message().id(), request.message().type());
	}

	private GroupMembers withoutRejected(AggregatorCall call, GroupMembers members, Throwable error) throws Throwable {
		if (!(error instanceof RejectedTasksException rejection)) {
			throw error;
		}
		GroupMembers rejected = members.among(rejection.tasks());
		if (rejected.isEmpty()) {
			throw error;
		}
		String text = ErrorTexts.describe(error);
		this.store.archive(call.staged(), rejected.messages(), text);
		logger.warn("Archived {} tasks of {}, which its aggregator rejected: {}", rejected.messages().size(),
				call.group(), text);
		return members.without(rejection.tasks());
	}

	private void failed(AggregatorCall call, Throwable error) {
		// Before anything that may fail itself
		this.calls.giveBack(call);
		this.runtime.counters().aggregations(call.staged().queue()).failed.increment();
		Duration pause = this.backOff.failed(call.group());
		this.failures.warn("asynq-aggregator",
				new AsynqException(call.staged().size() + " tasks of " + call.group() + " could not be aggregated: "
						+ ErrorTexts.describe(error) + ". They go back to their group and are tried again after "
						+ pause.toSeconds() + " s; to archive some of them instead, throw RejectedTasksException"));
		UserCode.tell(error, (shown) -> logger.debug("Aggregation of {} failed", call.group(), shown));
	}

	private static void dropLateReturn(AggregatorCall call, @Nullable Throwable error) {
		logger.info("The aggregator {} of {} has returned after it was given up: {} is dropped, its thread is free",
				call.aggregator(), call.group(), (error != null) ? "its error" : "its task");
		rethrowIfFatal(error);
	}

	private static String problem(AggregationStatus status, TaskMessage message) {
		return switch (status) {
			case EXPIRED -> "its tasks went back to their group before it had ended, because its time was over, and its"
					+ " task is dropped; set 'asynq.server.group-max-size' if it has too much to do at once";
			case ID_CONFLICT ->
				"it returned a task with id '" + message.id() + "', which another task has; return one without an id";
			default -> "it returned a unique task (type '" + message.type()
					+ "'), and another task holds its lock; it is tried again until that is gone";
		};
	}

	private static void rethrowIfFatal(@Nullable Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

}
