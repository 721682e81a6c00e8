package io.asynq.client;

import java.util.Optional;

import io.asynq.Names;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.broker.Broker;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.Fire;
import io.asynq.broker.FireStore;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the fires of periodic tasks with the same defaults, limits and errors as
 * {@link AsynqClient}; for schedulers. A request is built once and may be sent again: it
 * keeps its task id. Safe for concurrent use.
 */
public final class FireClient {

	private final DefaultAsynqClient client;

	private final FireStore fires;

	private final EnqueueAnswers answers;

	/**
	 * Creates the client.
	 * @param broker the store; stays the caller's
	 * @param options settings
	 */
	public FireClient(Broker broker, ClientOptions options) {
		this.client = new DefaultAsynqClient(broker, options);
		this.fires = broker.fires();
		this.answers = new EnqueueAnswers(options.clock());
	}

	/**
	 * Converts an object into a task.
	 * @param type the task's type, blank for that of the object's {@link TaskDefaults}
	 * @param payload the object, {@code null} for no payload, or a task that is taken as
	 * it is
	 * @return the task
	 * @throws io.asynq.AsynqException if that is not possible
	 */
	public Task task(String type, @Nullable Object payload) {
		return (Names.isBlank(type) || payload instanceof Task) ? this.client.taskOf(payload)
				: this.client.task(type, payload);
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
	 * Enqueues a task as it is.
	 * @param request the task
	 * @return the task as it was stored
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public TaskInfo send(EnqueueRequest request) {
		return this.client.send(request);
	}

	/**
	 * Enqueues the task of a fire unless another scheduler has judged this fire.
	 * @param request the task
	 * @param fire the fire
	 * @return the task as it was stored, empty if the fire is another's; the same again
	 * when sent again
	 * @throws io.asynq.AsynqException as {@link AsynqClient} says
	 */
	public Optional<TaskInfo> send(EnqueueRequest request, Fire fire) {
		return this.fires.enqueue(request, fire).map((status) -> this.answers.infoOrThrow(request, status));
	}

	/**
	 * Asks Redis for a sign of life.
	 * @throws io.asynq.BrokerException if there is none
	 */
	public void ping() {
		this.client.ping();
	}

}
