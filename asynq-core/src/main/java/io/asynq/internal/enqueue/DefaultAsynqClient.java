package io.asynq.internal.enqueue;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.event.Observers;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

public final class DefaultAsynqClient implements AsynqClient {

	private static final boolean SPRING_TX = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronization",
			DefaultAsynqClient.class.getClassLoader());

	private static final @Nullable Class<?> KOTLIN_FUNCTION = ClassUtils.isPresent("kotlin.Function",
			DefaultAsynqClient.class.getClassLoader())
					? ClassUtils.resolveClassName("kotlin.Function", DefaultAsynqClient.class.getClassLoader()) : null;

	private final TaskEnqueuer enqueuer;

	private final ClientOptions options;

	private final TaskMessageFactory messages;

	private final StoredTasks stored;

	private final ObservedRequests observed;

	/** {@code null} if tasks are sent at once. */
	private final @Nullable AfterCommit transactions;

	private final @Nullable MissedOutbox missed;

	private final DefaultAsynqClient afterCommit;

	/**
	 * @param outbox takes tasks that wait for a transaction; {@code null} if they wait in
	 * memory
	 */
	public DefaultAsynqClient(TaskEnqueuer enqueuer, ClientOptions options, Observers observers,
			@Nullable TaskOutbox outbox) {
		this(enqueuer, options, observers, outbox, options.afterCommit());
	}

	private DefaultAsynqClient(TaskEnqueuer enqueuer, ClientOptions options, Observers observers,
			@Nullable TaskOutbox outbox, boolean deferring) {
		Clock clock = options.clock();
		this.enqueuer = enqueuer;
		this.options = options;
		this.messages = new TaskMessageFactory(clock, options.interceptors());
		this.stored = new StoredTasks(clock, observers.events());
		this.observed = new ObservedRequests(observers.observations());
		this.transactions = (deferring && SPRING_TX)
				? new AfterCommit(new LateSending(enqueuer, this::batch, this.stored), writing(outbox)) : null;
		this.missed = (!deferring && SPRING_TX && outbox != null) ? new MissedOutbox() : null;
		this.afterCommit = deferring ? this : new DefaultAsynqClient(enqueuer, options, observers, outbox, true);
	}

	@Override
	public TaskInfo enqueue(Task task) {
		return enqueue(task, TaskOptions.none());
	}

	@Override
	public TaskInfo enqueue(Task task, TaskOptions options) {
		EnqueueRequest request = request(task, options);
		AfterCommit transaction = transaction();
		return (transaction != null) ? transaction.defer(List.of(request)).get(0) : send(request);
	}

	@Override
	public TaskInfo enqueue(String type) {
		return enqueue(task(type, null));
	}

	@Override
	public TaskInfo enqueue(String type, Consumer<TaskOptions.Builder> options) {
		return enqueue(task(type, null), (options != null) ? TaskOptions.of(options) : TaskOptions.none());
	}

	@Override
	public TaskInfo enqueue(String type, @Nullable Object payload) {
		return (payload instanceof TaskOptions options) ? enqueue(task(type, null), options)
				: enqueue(task(type, payload));
	}

	@Override
	public TaskInfo enqueue(String type, @Nullable Object payload, Consumer<TaskOptions.Builder> options) {
		return enqueue(task(type, payload), TaskOptions.of(options));
	}

	@Override
	public TaskInfo enqueue(Object payload) {
		return enqueue(taskOf(payload, Object.class));
	}

	@Override
	public TaskInfo enqueue(Object payload, Consumer<TaskOptions.Builder> options) {
		return enqueue(taskOf(payload, Object.class), TaskOptions.of(options));
	}

	@Override
	public List<EnqueueAttempt> enqueueAll(Collection<Task> tasks) {
		return enqueueAll(tasks, TaskOptions.none());
	}

	@Override
	public List<EnqueueAttempt> enqueueAll(Collection<Task> tasks, TaskOptions options) {
		EnqueueBatch batch = batch();
		for (Task task : tasks) {
			try {
				batch.add(task, request(task, options));
			}
			catch (AsynqException ex) {
				batch.refuse(task, ex);
			}
		}
		AfterCommit transaction = transaction();
		return (transaction != null) ? batch.defer(transaction) : batch.send(this.enqueuer);
	}

	@Override
	public AsynqClient afterCommit() {
		return this.afterCommit;
	}

	@Override
	public Task task(String type, @Nullable Object payload) {
		return task(type, payload, Object.class);
	}

	private Task task(String type, @Nullable Object payload, Type declared) {
		if (payload instanceof Task || payload instanceof TaskOptions || payload instanceof TaskOptions.Builder
				|| isLambda(payload)) {
			throw new InvalidTaskException("payload", "A " + payload.getClass().getName()
					+ " is no payload of a task of type '" + type
					+ "': enqueue a task as enqueue(task, options), a payload as enqueue(type, payload, (o) -> …)");
		}
		Task task = Task.of(type, this.options.payloadConverter().toBytes(payload, declared));
		if (payload == null) {
			return task;
		}
		TaskOptions defaults = PayloadDefaults.of(payload.getClass()).options();
		// The defaults of the type override those of the class, so they are merged here
		// and not later
		return task.withOptions(defaults.overriddenBy(this.options.defaults(type)));
	}

	@Override
	public void ping() {
		this.enqueuer.ping();
	}

	/** The payload may be a task, and its class have a type if {@code type} is blank. */
	public Task taskOf(String type, @Nullable Object payload, Type declared) {
		return (GoText.isBlank(type) || payload instanceof Task) ? taskOf(payload, declared)
				: task(type, payload, declared);
	}

	private Task taskOf(@Nullable Object payload, Type declared) {
		if (payload instanceof Task task) {
			return task;
		}
		if (payload == null) {
			throw new InvalidTaskException("task", "Task must not be null");
		}
		String type = PayloadDefaults.of(payload.getClass()).type();
		if (GoText.isBlank(type)) {
			throw new InvalidTaskException("type", "No task type for a payload of " + payload.getClass().getName()
					+ ": give its class @TaskDefaults(type = \"…\") or call enqueue(type, payload)");
		}
		return task(type, payload, declared);
	}

	public TaskInfo send(EnqueueRequest request) {
		return this.observed.send(request, this::store);
	}

	public TaskInfo store(EnqueueRequest request) {
		if (this.options.shareCalls()) {
			this.enqueuer.enqueueShared(request);
		}
		else {
			this.enqueuer.enqueue(request);
		}
		return this.stored.stored(request);
	}

	/** For who stores requests in another way. */
	public TaskInfo stored(EnqueueRequest request) {
		return this.stored.stored(request);
	}

	/**
	 * However often {@code sending} stores the request, observers see one enqueueing.
	 */
	public Optional<TaskInfo> fire(EnqueueRequest request, Function<EnqueueRequest, Optional<TaskInfo>> sending) {
		return this.observed.fire(request, sending);
	}

	public EnqueueRequest request(@Nullable Task task, TaskOptions options) {
		EnqueueRequest request = checked(this.messages::create, task, options);
		if (this.missed != null) {
			this.missed.sends(request.message().type());
		}
		return request;
	}

	/**
	 * For a task that will be enqueued later.
	 */
	public EnqueueRequest draft(Task task, TaskOptions options) {
		return checked(this.messages::draft, task, options);
	}

	private EnqueueRequest checked(BiFunction<Task, TaskOptions, EnqueueRequest> builder, @Nullable Task task,
			TaskOptions options) {
		if (task == null) {
			throw new InvalidTaskException("task", "Task must not be null");
		}
		InvalidTaskException.requireText("type", task.type());
		TaskOptions merged = this.options.handlerDefaults()
			.apply(task.type())
			.overriddenBy(this.options.defaults(task.type()))
			.overriddenBy(task.options())
			.overriddenBy(options);
		EnqueueRequest request = builder.apply(task, merged);
		requireSize(task, request.message().headers());
		return request;
	}

	private static boolean isLambda(@Nullable Object payload) {
		return payload != null && ((payload.getClass().isHidden() && payload.getClass().isSynthetic())
				|| (KOTLIN_FUNCTION != null && KOTLIN_FUNCTION.isInstance(payload)));
	}

	private EnqueueBatch batch() {
		return new EnqueueBatch(this.stored, this.observed);
	}

	private @Nullable OutboxWriting writing(@Nullable TaskOutbox outbox) {
		return (outbox != null) ? new OutboxWriting(outbox, this.stored, this.observed) : null;
	}

	private @Nullable AfterCommit transaction() {
		AfterCommit present = this.transactions;
		return (present != null && present.isDue()) ? present : null;
	}

	private void requireSize(Task task, Map<String, String> headers) {
		byte[] payload = task.payload();
		long size = (payload != null) ? payload.length : 0;
		for (Map.Entry<String, String> header : headers.entrySet()) {
			size += bytes(header.getKey()) + bytes(header.getValue());
		}
		if (size > this.options.maxPayloadSize()) {
			throw new InvalidTaskException("payload",
					"Payload " + (headers.isEmpty() ? "" : "and " + headers.size() + " headers ") + "of task type '"
							+ task.type() + (headers.isEmpty() ? "' has " : "' have ") + size
							+ " bytes, more than the limit of " + this.options.maxPayloadSize()
							+ ": raise asynq.client.max-payload-size, or enqueue a reference to the data");
		}
	}

	private static long bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
