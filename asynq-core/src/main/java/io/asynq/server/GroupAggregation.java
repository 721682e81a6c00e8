package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.broker.AggregationStatus;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupStore;
import io.asynq.broker.Placement;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.TaskMessageFactory;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.RejectedTasksException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one group becomes a task: stage, read, ask the aggregator, store. Whatever goes
 * wrong, the tasks go back to their group at once and are left alone for a while. Safe
 * for concurrent use.
 */
final class GroupAggregation {

	private static final Logger logger = LoggerFactory.getLogger(GroupAggregation.class);

	private final ServerRuntime runtime;

	private final GroupStore store;

	private final TaskMessageFactory messages;

	private final GroupBackOff backOff;

	private final Set<StagedGroup> underWay = ConcurrentHashMap.newKeySet();

	GroupAggregation(ServerRuntime runtime, GroupBackOff backOff) {
		this.runtime = runtime;
		this.store = runtime.broker().groupStore();
		this.messages = new TaskMessageFactory(runtime.clock());
		this.backOff = backOff;
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
		this.underWay.add(staged);
		try {
			return aggregate(staged, aggregator, group);
		}
		catch (Throwable ex) {
			failed(staged, group, ex);
			rethrowIfFatal(ex);
			return false;
		}
		finally {
			this.underWay.remove(staged);
		}
	}

	/**
	 * Gives back what is still under way; what its aggregators return later is dropped.
	 */
	void giveUp() {
		for (StagedGroup staged : this.underWay) {
			logger.warn("The aggregator of {} did not end in time: its {} tasks go back to the group", name(staged),
					staged.size());
			giveBack(staged);
		}
	}

	private boolean aggregate(StagedGroup staged, GroupAggregator aggregator, GroupName group) throws Exception {
		List<TaskMessage> members = this.store.read(staged);
		if (members.isEmpty()) {
			this.store.giveBack(staged);
			return false;
		}
		Map<Task, TaskMessage> byTask = new IdentityHashMap<>();
		List<Task> tasks = new ArrayList<>(members.size());
		for (TaskMessage member : members) {
			Task task = member.toTask();
			tasks.add(task);
			byTask.put(task, member);
		}
		try {
			Task task = aggregator.aggregate(group.queue(), group.group(), Collections.unmodifiableList(tasks));
			if (task == null) {
				throw new AsynqException("The aggregator " + aggregator
						+ " returned null: it must return a task, or throw what went wrong");
			}
			store(staged, members, request(task, group));
			return staged.size() == this.runtime.options().groupLimits(group.queue()).maxSize();
		}
		catch (RejectedTasksException ex) {
			List<TaskMessage> rejected = ex.tasks().stream().map(byTask::get).filter(Objects::nonNull).toList();
			if (rejected.isEmpty()) {
				throw ex;
			}
			reject(staged, rejected, ErrorTexts.describe(ex));
			return true;
		}
	}

	private void store(StagedGroup staged, List<TaskMessage> members, EnqueueRequest request) {
		AggregationStatus status = this.store.finish(staged, members, request);
		if (status != AggregationStatus.ENQUEUED) {
			throw new AsynqException(problem(status, request.message()));
		}
		this.backOff.succeeded(name(staged));
		AggregationCounters counters = this.runtime.counters().aggregations(staged.queue());
		counters.succeeded.increment();
		counters.tasks.add(members.size());
		logger.debug("{} tasks of {} became task {} (type '{}')", members.size(), name(staged), request.message().id(),
				request.message().type());
	}

	private void reject(StagedGroup staged, List<TaskMessage> rejected, String error) {
		this.store.archive(staged, rejected, error);
		logger.warn("Archived {} tasks of {}, which its aggregator rejected: {}", rejected.size(), name(staged), error);
		this.store.giveBack(staged);
	}

	private EnqueueRequest request(Task task, GroupName group) {
		TaskOptions options = task.options();
		if (options.queue() != null && !options.queue().equals(group.queue())) {
			logger.debug("What {} became asks for queue '{}', but stays in its own", group, options.queue());
		}
		EnqueueRequest request;
		try {
			request = this.messages.create(task,
					options.overriddenBy(TaskOptions.of((forced) -> forced.queue(group.queue()))));
		}
		catch (InvalidTaskException ex) {
			throw new AsynqException("The aggregator returned a task that cannot be enqueued: " + ex.getMessage(), ex);
		}
		if (options.group() == null) {
			return request;
		}
		logger.warn(
				"What {} became asks to join group '{}': that is ignored, else it would be aggregated again and"
						+ " again. Remove the option 'group' from the task that the aggregator returns",
				group, options.group());
		Placement placement = (request.placement() instanceof Placement.Grouped) ? new Placement.Pending()
				: request.placement();
		return new EnqueueRequest(request.message().toBuilder().group("").build(), placement, request.lockTtl());
	}

	private void failed(StagedGroup staged, GroupName group, Throwable error) {
		// Of a shutdown: Redis must be reached in spite of it
		Thread.interrupted();
		this.runtime.counters().aggregations(group.queue()).failed.increment();
		Duration pause = this.backOff.failed(group);
		logger.warn(
				"{} tasks of {} could not be aggregated: {}. They go back to their group and are tried again after"
						+ " {} s; to archive some of them instead, throw RejectedTasksException",
				staged.size(), group, ErrorTexts.describe(error), pause.toSeconds());
		logger.debug("Aggregation of {} failed", group, error);
		giveBack(staged);
	}

	private void giveBack(StagedGroup staged) {
		try {
			this.store.giveBack(staged);
		}
		catch (BrokerException ex) {
			logger.warn("The tasks of {} go back to it only after {}, when their set expires: {}", name(staged),
					staged.expiresAt(), ex.getMessage());
		}
	}

	private static GroupName name(StagedGroup staged) {
		return new GroupName(staged.queue(), staged.group());
	}

	private static String problem(AggregationStatus status, TaskMessage message) {
		return switch (status) {
			case EXPIRED -> "its tasks went back to their group before it had ended, after two minutes or because the"
					+ " server was stopped, and its task is dropped; set 'asynq.server.group-max-size' if it has too much"
					+ " to do at once";
			case ID_CONFLICT ->
				"it returned a task with id '" + message.id() + "', which another task has; return one without an id";
			default -> "it returned a unique task (type '" + message.type()
					+ "'), and another task holds its lock; it is tried again until that is gone";
		};
	}

	private static void rethrowIfFatal(Throwable error) {
		if (error instanceof VirtualMachineError fatal && !(error instanceof StackOverflowError)) {
			throw fatal;
		}
	}

}
