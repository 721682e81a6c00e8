package io.asynq.internal.group;

import io.asynq.AsynqException;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.enqueue.TaskMessageFactory;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Creates the stored task from what an aggregator returns: it stays in the queue of its
 * group and joins no group, as in Go (docs/compatibility.md, L04).
 */
public final class AggregatedTaskFactory {

	private static final Logger logger = OneLineLogger.of(AggregatedTaskFactory.class);

	private final TaskMessageFactory messages;

	public AggregatedTaskFactory(TaskMessageFactory messages) {
		this.messages = messages;
	}

	public EnqueueRequest create(Task task, GroupName group) {
		TaskOptions options = task.options();
		if (options.queue() != null && !options.queue().equals(group.queue())) {
			logger.debug("The aggregated task of {} asks for queue {}, but stays in the queue of its group", group,
					options.queue());
		}
		EnqueueRequest request;
		try {
			request = this.messages.create(task,
					options.overriddenBy(TaskOptions.of((forced) -> forced.queue(group.queue()))));
		}
		catch (InvalidTaskException ex) {
			throw new AsynqException("The aggregator returned a task that cannot be enqueued: " + ex.getMessage(), ex);
		}
		return (options.group() != null) ? withoutGroup(request, group, options.group()) : request;
	}

	private static EnqueueRequest withoutGroup(EnqueueRequest request, GroupName group, String asked) {
		logger.warn(
				"The aggregated task of {} asks to join group '{}': this is ignored, or it would be aggregated again and"
						+ " again. Remove the option 'group' from the task that the aggregator returns",
				group, asked);
		Placement placement = (request.placement() instanceof Placement.Grouped) ? new Placement.Pending()
				: request.placement();
		return request.with(request.message().toBuilder().group("").build(), placement);
	}

}
