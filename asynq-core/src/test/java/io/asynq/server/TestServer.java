package io.asynq.server;

import java.lang.reflect.InvocationTargetException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.event.Observers;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.server.ServerComponents;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.internal.worker.TaskUpkeep;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * A server for one test, with short intervals, to be used in a try-with-resources block.
 */
public final class TestServer implements AutoCloseable {

	public final RedisBroker broker;

	public final RedisState state;

	final ServerComponents components;

	private TestServer(RedisBroker broker, RedisState state, ServerComponents components) {
		this.broker = broker;
		this.state = state;
		this.components = components;
	}

	public static Builder builder(RedisConnectionFactory factory) {
		return new Builder(factory);
	}

	public TestServer start() {
		this.components.server().start();
		return this;
	}

	public void stop() {
		this.components.server().stop();
	}

	public AsynqServer server() {
		return this.components.server();
	}

	public void enqueue(TaskMessage message) {
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
	}

	public void schedule(TaskMessage message, Instant at) {
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Scheduled(at), null));
	}

	@Override
	public void close() {
		stop();
	}

	public static final class Builder {

		private final RedisConnectionFactory factory;

		private UnaryOperator<ServerOptions.Builder> options = (options) -> options;

		private TaskErrorHandler errors = (task, context, error) -> {
		};

		private RetryDelayPolicy delay = (retried, error, task) -> Duration.ofHours(1);

		private FailurePredicate failures = FailurePredicate.always();

		private TaskDecorator decorator = ServerPolicies.defaults().decorator();

		private TaskEvents events = TaskEvents.none();

		private TaskObservations observations = TaskObservations.none();

		private ContextPropagators contexts = ContextPropagators.none();

		private final TaskAggregators aggregators = new TaskAggregators();

		private Duration lease = RedisBroker.DEFAULT_LEASE_DURATION;

		private UnaryOperator<GroupStore> groups = UnaryOperator.identity();

		private UnaryOperator<TaskDequeuer> dequeuer = UnaryOperator.identity();

		private UnaryOperator<TaskUpkeep> leases = UnaryOperator.identity();

		private Clock clock = Clock.systemUTC();

		private Runnable gate = () -> {
		};

		Builder(RedisConnectionFactory factory) {
			this.factory = factory;
		}

		public Builder options(UnaryOperator<ServerOptions.Builder> options) {
			this.options = options;
			return this;
		}

		public Builder errors(TaskErrorHandler errors) {
			this.errors = errors;
			return this;
		}

		public Builder delay(RetryDelayPolicy delay) {
			this.delay = delay;
			return this;
		}

		public Builder failures(FailurePredicate failures) {
			this.failures = failures;
			return this;
		}

		public Builder events(TaskEvents events) {
			this.events = events;
			return this;
		}

		public Builder observations(TaskObservations observations) {
			this.observations = observations;
			return this;
		}

		public Builder contexts(ContextPropagators contexts) {
			this.contexts = contexts;
			return this;
		}

		public Builder decorator(TaskDecorator decorator) {
			this.decorator = decorator;
			return this;
		}

		public Builder aggregator(TaskAggregatorFunction aggregator) {
			return aggregator("", "", aggregator);
		}

		public Builder aggregator(String queue, String prefix, TaskAggregatorFunction aggregator) {
			this.aggregators.add(queue, prefix, aggregator);
			return this;
		}

		/**
		 * Replaces the groups of the broker.
		 */
		public Builder groups(UnaryOperator<GroupStore> groups) {
			this.groups = groups;
			return this;
		}

		/**
		 * Replaces the dequeuer of the broker.
		 */
		public Builder dequeuer(UnaryOperator<TaskDequeuer> dequeuer) {
			this.dequeuer = dequeuer;
			return this;
		}

		/**
		 * Replaces the leases of the broker.
		 */
		public Builder leases(UnaryOperator<TaskUpkeep> leases) {
			this.leases = leases;
			return this;
		}

		/**
		 * Calls a gate before every call to Redis, which it may delay.
		 */
		public Builder gate(Runnable gate) {
			this.gate = gate;
			return this;
		}

		public Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		public Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		public TestServer handling(TaskHandlerFunction handler) {
			ServerOptions.Builder builder = ServerOptions.builder()
				.concurrency(4)
				.virtualThreads(Boolean.getBoolean("asynq.test.virtual-threads"))
				.handleTstp(false)
				.logFailures(FailureLogging.NONE)
				.shutdownTimeout(Duration.ofSeconds(5));
			ServerOptions built = this.options.apply(builder).build();
			RedisBroker broker = new RedisBroker(this.factory, this.clock, this.lease, (task) -> {
			});
			ServerPolicies defaults = ServerPolicies.defaults();
			ServerPolicies policies = new ServerPolicies(this.delay, this.failures, this.errors, defaults.health(),
					this.decorator, defaults.waits(), defaults.interceptors(), this.contexts);
			return new TestServer(broker, new RedisState(this.factory),
					new ServerComponents(intercepted(broker), handler, this.aggregators, built, policies,
							new Observers(this.events, this.observations), this.clock, () -> true));
		}

		private RedisBroker intercepted(RedisBroker broker) {
			Map<String, Object> changed = Map.of("dequeuer", this.dequeuer.apply(broker.dequeuer()), "groups",
					this.groups.apply(broker.groups()), "upkeep", this.leases.apply(broker.upkeep()));
			ProxyFactory proxy = new ProxyFactory(broker);
			proxy.setProxyTargetClass(true);
			proxy.addAdvice((MethodInterceptor) (call) -> {
				Object role = changed.containsKey(call.getMethod().getName()) ? changed.get(call.getMethod().getName())
						: call.proceed();
				Class<?> type = call.getMethod().getReturnType();
				return type.getName().startsWith("io.asynq.internal.") ? behindGate(type, role) : role;
			});
			return (RedisBroker) proxy.getProxy();
		}

		private Object behindGate(Class<?> type, Object role) {
			return mock(type, withSettings().stubOnly().defaultAnswer((call) -> {
				this.gate.run();
				try {
					return call.getMethod().invoke(role, call.getRawArguments());
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
		}

	}

}
