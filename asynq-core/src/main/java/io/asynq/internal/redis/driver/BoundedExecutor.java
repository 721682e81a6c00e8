package io.asynq.internal.redis.driver;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.executors.CommandExecutor;
import redis.clients.jedis.util.Pool;

/**
 * Other threads wait for pools, which do so without a bound, one borrower after the
 * other.
 */
final class BoundedExecutor implements CommandExecutor {

	/** Of those who are about to take a connection that is at hand. */
	private static final ThreadLocal<@Nullable AtomicInteger> TAKING = new ThreadLocal<>();

	private final CommandExecutor executor;

	private final Function<CommandArguments, @Nullable Pool<?>> pools;

	private final Map<@Nullable Pool<?>, Borrowers> borrowers = Collections.synchronizedMap(new WeakHashMap<>());

	/** {@code pools} returns {@code null} for a command whose pool is not known. */
	BoundedExecutor(CommandExecutor executor, Function<CommandArguments, @Nullable Pool<?>> pools) {
		this.executor = executor;
		this.pools = pools;
	}

	@Override
	public <T> T executeCommand(CommandObject<T> command) {
		CallTime time = CallTime.present();
		if (time == null) {
			return this.executor.executeCommand(command);
		}
		Pool<?> pool = this.pools.apply(command.getArguments());
		Borrowers borrowers = this.borrowers.computeIfAbsent(pool, (key) -> new Borrowers());
		if (pool == null || borrowers.taking.incrementAndGet() > pool.getNumIdle()) {
			borrowers.taking.addAndGet((pool != null) ? -1 : 0);
			return time.elsewhere(borrowers.threads, () -> this.executor.executeCommand(command), (answer) -> {
			});
		}
		TAKING.set(borrowers.taking);
		try {
			return this.executor.executeCommand(command);
		}
		finally {
			borrowed();
		}
	}

	/** To be called as soon as the present thread has its connection. */
	static void borrowed() {
		AtomicInteger taking = TAKING.get();
		if (taking != null) {
			TAKING.remove();
			taking.decrementAndGet();
		}
	}

	@Override
	public void close() {
		// The connections are the application's
	}

	private static final class Borrowers {

		private final AtomicInteger taking = new AtomicInteger();

		private final ThreadPoolExecutor threads = CallTime.threads("asynq-connections-");

	}

}
