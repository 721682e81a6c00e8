package io.asynq.operations.preflight;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.asynq.Broker;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.ScriptRunner;

/** Masters are checked side by side, so that one that hangs delays the check once. */
public final class StoreCheck {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final ScriptRunner scripts;

	private final RedisUserRule rule = new RedisUserRule();

	private final NodeCheck nodes;

	private final ListeningCheck listening;

	public StoreCheck(Broker handle, Clock clock) {
		RedisBroker broker = RedisBroker.of(handle);
		this.scripts = broker.serverScripts();
		this.nodes = new NodeCheck(this.scripts, clock, this.rule);
		this.listening = new ListeningCheck(broker.cancellations(), broker.arrivals(), this.rule);
	}

	/** Throws only if the store refuses everything. */
	public StoreReport check() {
		List<StoreNode> all = StoreNode.all(this.scripts);
		boolean only = all.size() == 1 && all.get(0).isOnly();
		Findings findings = only ? this.nodes.run(all.get(0)) : sideBySide(all);
		this.listening.runOnce(findings);
		return findings.report();
	}

	private Findings sideBySide(List<StoreNode> all) {
		Map<StoreNode, FutureTask<Findings>> checks = new LinkedHashMap<>();
		for (StoreNode node : all) {
			FutureTask<Findings> check = new FutureTask<>(() -> this.nodes.run(node));
			checks.put(node, check);
			Thread thread = new Thread(check, "asynq-preflight-" + node.address());
			thread.setDaemon(true);
			thread.start();
		}
		Findings findings = new Findings();
		long end = System.nanoTime() + PATIENCE.toNanos();
		int away = 0;
		BrokerUnavailableException error = null;
		for (Map.Entry<StoreNode, FutureTask<Findings>> check : checks.entrySet()) {
			try {
				Findings its = check.getValue().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
				this.listening.run(check.getKey(), its);
				findings.addAll(its);
			}
			catch (TimeoutException ex) {
				findings.add(check.getKey().address(), "does not answer, so that it was not checked",
						"find out why; until then its queues wait");
			}
			catch (ExecutionException ex) {
				error = unavailable(ex);
				away++;
				findings.add(check.getKey().address(), "cannot be reached, so that it was not checked",
						"find out why; until then its queues wait");
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new BrokerUnavailableException("The check was interrupted", ex);
			}
		}
		if (error != null && away == all.size()) {
			throw error;
		}
		return findings;
	}

	private static BrokerUnavailableException unavailable(ExecutionException ex) {
		if (ex.getCause() instanceof BrokerUnavailableException away) {
			return away;
		}
		throw (ex.getCause() instanceof RuntimeException error) ? error : new IllegalStateException(ex.getCause());
	}

}
