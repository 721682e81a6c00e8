package io.asynq.client;

import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Function;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.broker.QueueReader;
import io.asynq.broker.SchedulerStore;
import io.asynq.broker.TaskEnqueuer;
import io.asynq.broker.fleet.Fire;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.gotext.GoText;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the tasks of periodic tasks for the scheduler, with the same defaults, limits
 * and errors as {@link AsynqClient}. A request that is sent again keeps the id of its
 * task. Safe for concurrent use.
 */
public final class FireClient {

	private final DefaultAsynqClient client;

	private final SchedulerStore fires;

	private final StoredTasks stored;

	private final ObservedRequests observed;

	/**
	 * Creates the client.
	 * @param enqueuer stores tasks
	 * @param fires stores the tasks of fires
	 * @param queues answers a ping
	 * @param options settings
	 */
	public FireClient(TaskEnqueuer enqueuer, SchedulerStore fires, QueueReader queues, ClientOptions options) {
		this.client = new DefaultAsynqClient(enqueuer, queues, options);
		this.fires = fires;
		this.stored = new StoredTasks(options.clock(), options.events());
		this.observed = new ObservedRequests(options.observations());
	}

	/**
	 * Converts an object into a task.
	 * @param type the task's type, blank for that of the object's {@link TaskDefaults}
	 * @param payload the object, {@code null} for no payload, or a task that is taken as
	 * it is
	 * @param declared the type that the object was declared with, {@code Object} if none
	 * is known
	 * @return the task
	 * @throws io.asynq.AsynqException if that is not possible
	 */
	public Task task(String type, @Nullable Object payload, Type declared) {
		return (GoText.isBlank(type) || payload instanceof Task) ? this.client.taskOf(payload, declared)
				: this.client.task(type, payload, declared);
	}

	/**
	 * Builds what is to be sent.
	 * @param task the task
	 * @param options override the task's own, one by one
	 * @return the request, with its task's id
	 * @throws io.asynq.InvalidTaskException if the task cannot be enqueued like this
	 */
	public EnqueueRequest request(Task task, TaskOptions options) {
		return this.client.request(task, options);
	}

	/**
	 * Checks a task that fires will enqueue. No interceptor sees it: nothing is enqueued
	 * yet.
	 * @param task the task
	 * @param options override the task's own, one by one
	 * @return its queue
	 * @throws io.asynq.InvalidTaskException if the task cannot be enqueued like this
	 */
	public String check(Task task, TaskOptions options) {
		return this.client.draft(task, options).message().queue();
	}

	/**
	 * Enqueues a task as it is.
	 * @param request the task
	 * @return the task as it was stored
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public TaskInfo send(EnqueueRequest request) {
		return this.client.send(request);
	}

	/**
	 * Enqueues the task of a fire, as one enqueueing to whoever observes it.
	 * @param request the task
	 * @param sending calls {@link #store} with the request that it is given, as often as
	 * needed
	 * @return the task as it was stored, empty if another scheduler has enqueued it
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public Optional<TaskInfo> fire(EnqueueRequest request, Function<EnqueueRequest, Optional<TaskInfo>> sending) {
		return this.observed.fire(request, sending);
	}

	/**
	 * Stores the task of a fire.
	 * @param request the task
	 * @return the task as it was stored
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public TaskInfo store(EnqueueRequest request) {
		return this.client.store(request);
	}

	/**
	 * Stores the task of a fire unless another scheduler has already handled this fire.
	 * @param request the task
	 * @param fire the fire
	 * @return the task as it was stored, empty if another scheduler has enqueued it; the
	 * same if the request is sent again
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public Optional<TaskInfo> store(EnqueueRequest request, Fire fire) {
		return this.fires.enqueue(request, fire) ? Optional.of(this.stored.stored(request)) : Optional.empty();
	}

	/**
	 * Checks that Redis answers.
	 * @throws io.asynq.BrokerException if it does not
	 */
	public void ping() {
		this.client.ping();
	}

}
