package io.asynq.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.broker.Broker;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupStore;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskDequeuer;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.broker.redis.RedisState;
import io.asynq.handler.AsynqHandler;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import io.asynq.handler.TaskErrorHandler;

import org.springframework.core.task.TaskDecorator;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A server for one test, on short intervals, stopped at the end of a try block.
 */
final class TestServer implements AutoCloseable {

	final RedisBroker broker;

	final RedisState state;

	final ServerComponents components;

	private TestServer(RedisBroker broker, RedisState state, ServerComponents components) {
		this.broker = broker;
		this.state = state;
		this.components = components;
	}

	static Builder builder(RedisConnectionFactory factory) {
		return new Builder(factory);
	}

	TestServer start() {
		this.components.server().start();
		return this;
	}

	void stop() {
		this.components.server().stop();
	}

	AsynqServer server() {
		return this.components.server();
	}

	void enqueue(TaskMessage message) {
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
	}

	void schedule(TaskMessage message, Instant at) {
		this.broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Scheduled(at), null));
	}

	@Override
	public void close() {
		stop();
	}

	static final class Builder {

		private final RedisConnectionFactory factory;

		private UnaryOperator<ServerOptions.Builder> options = (options) -> options;

		private TaskErrorHandler errors = (task, context, error) -> {
		};

		private RetryDelayPolicy delay = (retried, error, task) -> Duration.ofHours(1);

		private FailurePredicate failures = FailurePredicate.always();

		private TaskDecorator decorator = ServerPolicies.defaults().decorator();

		private final GroupAggregators aggregators = new GroupAggregators();

		private Duration lease = RedisBroker.DEFAULT_LEASE_DURATION;

		private UnaryOperator<GroupStore> groups = UnaryOperator.identity();

		private UnaryOperator<TaskDequeuer> dequeuer = UnaryOperator.identity();

		private UnaryOperator<LeaseKeeper> leases = UnaryOperator.identity();

		private Clock clock = Clock.systemUTC();

		private Runnable gate = () -> {
		};

		Builder(RedisConnectionFactory factory) {
			this.factory = factory;
		}

		Builder options(UnaryOperator<ServerOptions.Builder> options) {
			this.options = options;
			return this;
		}

		Builder errors(TaskErrorHandler errors) {
			this.errors = errors;
			return this;
		}

		Builder delay(RetryDelayPolicy delay) {
			this.delay = delay;
			return this;
		}

		Builder failures(FailurePredicate failures) {
			this.failures = failures;
			return this;
		}

		Builder decorator(TaskDecorator decorator) {
			this.decorator = decorator;
			return this;
		}

		Builder aggregator(GroupAggregator aggregator) {
			return aggregator("", "", aggregator);
		}

		Builder aggregator(String queue, String prefix, GroupAggregator aggregator) {
			this.aggregators.add(queue, prefix, aggregator);
			return this;
		}

		/**
		 * Stands between the server and the groups.
		 * @param groups changes the broker's own
		 * @return this builder
		 */
		Builder groups(UnaryOperator<GroupStore> groups) {
			this.groups = groups;
			return this;
		}

		/**
		 * Stands between the server and what Redis gives it.
		 * @param dequeuer changes the broker's own
		 * @return this builder
		 */
		Builder dequeuer(UnaryOperator<TaskDequeuer> dequeuer) {
			this.dequeuer = dequeuer;
			return this;
		}

		/**
		 * Stands between the server and the leases.
		 * @param leases changes the broker's own
		 * @return this builder
		 */
		Builder leases(UnaryOperator<LeaseKeeper> leases) {
			this.leases = leases;
			return this;
		}

		/**
		 * Stands between the server and Redis as a whole.
		 * @param gate called by whoever is about to ask for something, and may keep it
		 * waiting
		 * @return this builder
		 */
		Builder gate(Runnable gate) {
			this.gate = gate;
			return this;
		}

		Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		TestServer handling(AsynqHandler handler) {
			ServerOptions.Builder builder = ServerOptions.builder()
				.concurrency(4)
				.virtualThreads(Boolean.getBoolean("asynq.test.virtual-threads"))
				.handleTstp(false)
				.shutdownTimeout(Duration.ofSeconds(5));
			ServerOptions built = this.options.apply(builder).build();
			RedisBroker broker = new RedisBroker(this.factory, this.clock, this.lease, (task) -> {
			});
			ServerPolicies defaults = ServerPolicies.defaults();
			ServerPolicies policies = new ServerPolicies(this.delay, this.failures, this.errors, defaults.health(),
					this.decorator, this.aggregators);
			return new TestServer(broker, new RedisState(this.factory),
					new ServerComponents(intercepted(broker), handler, built, policies, this.clock, () -> true));
		}

		private Broker intercepted(RedisBroker broker) {
			Map<String, Object> changed = Map.of("dequeuer", this.dequeuer.apply(broker.dequeuer()), "groupStore",
					this.groups.apply(broker.groupStore()), "leases", this.leases.apply(broker.leases()));
			return (Broker) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Broker.class },
					(proxy, method, args) -> {
						Object role = changed.containsKey(method.getName()) ? changed.get(method.getName())
								: method.invoke(broker, args);
						return method.getReturnType().isInterface() ? behindGate(method.getReturnType(), role) : role;
					});
		}

		private Object behindGate(Class<?> type, Object role) {
			return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
					(proxy, method, args) -> {
						this.gate.run();
						try {
							return method.invoke(role, args);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
