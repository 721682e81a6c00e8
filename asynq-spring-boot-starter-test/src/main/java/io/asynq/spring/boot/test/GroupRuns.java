package io.asynq.spring.boot.test;

import java.time.Clock;
import java.util.HashSet;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.Task;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskOutcome;
import io.asynq.event.TaskEvent;
import io.asynq.group.GroupLimits;
import io.asynq.handler.RejectedTasksException;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.group.AggregatedTaskFactory;
import io.asynq.internal.group.GroupMembers;
import io.asynq.internal.group.GroupName;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ErrorTexts;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.slf4j.Logger;

/**
 * Has due groups turned into tasks, in the caller's thread. Used by one thread at a time.
 */
final class GroupRuns {

	private static final Logger logger = OneLineLogger.of(GroupRuns.class);

	private final RecordedTasks tasks;

	private final ServerOptions options;

	private final TaskAggregators aggregators;

	private final Observers observers;

	private final AggregatedTaskFactory factory;

	/** They stay as they are until {@link #begin()}. */
	private final Set<GroupName> failed = new HashSet<>();

	GroupRuns(RecordedTasks tasks, TaskAggregators aggregators, ServerOptions options, ServerPolicies policies,
			Observers observers, Clock clock) {
		this.tasks = tasks;
		this.options = options;
		this.aggregators = aggregators;
		this.observers = observers;
		this.factory = new AggregatedTaskFactory(new TaskMessageFactory(clock, policies.interceptors()));
	}

	/** Gives groups whose aggregator has failed another try. */
	void begin() {
		this.failed.clear();
	}

	/** Returns whether there were any due groups that did not fail. */
	boolean run(String queue) {
		boolean any = false;
		GroupLimits limits = this.options.groupLimits(queue);
		for (String each : this.tasks.dueGroups(queue, limits)) {
			GroupName group = new GroupName(queue, each);
			TaskAggregatorFunction aggregator = this.aggregators.find(queue, each);
			if (aggregator != null && !this.failed.contains(group)) {
				boolean done = run(group, GroupMembers.of(this.tasks.members(queue, each, limits)), aggregator);
				any |= done;
				if (!done) {
					this.failed.add(group);
				}
			}
		}
		return any;
	}

	private boolean run(GroupName group, GroupMembers members, TaskAggregatorFunction aggregator) {
		TaskObservation observation = this.observers.observations().isOn()
				? this.observers.observations().aggregate(group.queue(), group.group(), members.tasks())
				: TaskObservation.NONE;
		try (TaskObservation.Scope scope = observation.open()) {
			GroupMembers left = members;
			while (!left.isEmpty()) {
				try {
					aggregate(group, left, aggregator, observation);
					observation.end(TaskOutcome.SUCCEEDED, null);
					return true;
				}
				catch (RejectedTasksException ex) {
					left = withoutRejected(left, ex);
				}
			}
			observation.end(TaskOutcome.ARCHIVED, null);
			return true;
		}
		catch (Throwable ex) {
			Throwable error = ErrorTexts.quoteFree(ex);
			observation.end(TaskOutcome.RETRIED, error);
			if (this.options.logFailures().includesRetried(true)) {
				UserCode.tell(error, (shown) -> logger.warn("The tasks of {} go back to it", group, shown));
			}
			UserCode.rethrowIfFatal(ex);
			return false;
		}
	}

	private void aggregate(GroupName group, GroupMembers members, TaskAggregatorFunction aggregator,
			TaskObservation observation) throws Exception {
		Task task = aggregator.aggregate(group.queue(), group.group(), members.tasks());
		if (task == null) {
			throw new AsynqException("The aggregator " + aggregator + " returned null");
		}
		observation.type(task.type());
		EnqueueRequest created = this.factory.create(task, group);
		EnqueueRequest request = created
			.withHeaders(observation.headers(created.message().headers(), created.isScheduled()));
		this.tasks.replace(members.messages(), request);
		this.observers.events()
			.tell(new TaskEvent.Aggregated(request.message().facts(), group.group(), members.messages().size()));
	}

	private GroupMembers withoutRejected(GroupMembers members, RejectedTasksException error) {
		GroupMembers rejected = members.among(error.tasks());
		if (rejected.isEmpty()) {
			throw error;
		}
		String text = ErrorTexts.describe(error);
		this.tasks.archive(rejected.messages(), text);
		rejected.messages()
			.forEach((member) -> this.observers.events()
				.tellArchived(member.facts(), text, error, ArchiveReason.REJECTED));
		return members.without(error.tasks());
	}

}
