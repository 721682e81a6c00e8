package io.asynq.broker.redis.check;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.check.StoreCheck;
import io.asynq.broker.check.StoreReport;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.Text;
import io.asynq.broker.redis.UsableRedis;
import org.jspecify.annotations.Nullable;

/**
 * Checks version, rights, eviction, persistence, role and clock of Redis. On a cluster
 * the settings of each master are read; rights are tried on one.
 */
public final class RedisStoreCheck implements StoreCheck {

	private static final Duration CLOCKS_MAY_DIFFER = Duration.ofSeconds(1);

	private final ScriptRunner scripts;

	private final UsableRedis usable;

	private final Clock clock;

	private final RedisNodes nodes;

	private final RedisUserRule rule = new RedisUserRule();

	public RedisStoreCheck(ScriptRunner scripts, UsableRedis usable, Clock clock) {
		this.scripts = scripts;
		this.usable = usable;
		this.clock = clock;
		this.nodes = new RedisNodes(scripts);
	}

	@Override
	public StoreReport check() {
		Findings findings = new Findings();
		if (isTooOld(findings)) {
			// It does not know half of the other questions
			return findings.report();
		}
		findings.check("the rights of the Redis user", () -> checkRights(findings));
		findings.check("eviction, persistence and role", () -> checkInfo(findings));
		findings.check("the clock", () -> checkClock(findings));
		return findings.report();
	}

	private boolean isTooOld(Findings findings) {
		try {
			if (this.usable.isNewEnough()) {
				return false;
			}
			findings.add("", "is too old", UsableRedis.TOO_OLD);
			return true;
		}
		catch (BrokerException ex) {
			if (!Forbidden.is(ex)) {
				throw ex;
			}
			// The check of the rights tells it better
			return false;
		}
	}

	private void checkRights(Findings findings) {
		try {
			List<String> missing = this.scripts
				.runList(LuaScript.CHECK_RIGHTS, "the rights of the Redis user", List.of(Keys.CHECKS.get(0)),
						this.rule.commands().toArray())
				.stream()
				.map(Text::of)
				.toList();
			if (!missing.isEmpty()) {
				findings.add("", "does not let its user run " + String.join(", ", missing), this.rule.advice());
			}
			this.scripts.run("EXISTS", Keys.QUEUES, (template) -> template.hasKey(Keys.QUEUES));
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			if (!Forbidden.is(ex)) {
				throw ex;
			}
			findings.add("", "does not let its user do everything (" + ex.getMessage() + ")", this.rule.advice());
		}
	}

	private void checkInfo(Findings findings) {
		List<String> withoutLog = new ArrayList<>();
		this.nodes.info().forEach((node, info) -> {
			checkEviction(findings, node, info.getProperty("maxmemory_policy"));
			if ("slave".equals(info.getProperty("role"))) {
				findings.add(node, "is a replica, which refuses every write",
						"point spring.data.redis at the primary, or at its Sentinels");
			}
			if (!"1".equals(info.getProperty("aof_enabled"))) {
				withoutLog.add(node);
			}
		});
		if (!withoutLog.isEmpty()) {
			findings.check("persistence", () -> checkSnapshots(findings, withoutLog));
		}
	}

	private static void checkEviction(Findings findings, String node, @Nullable String policy) {
		if (policy == null) {
			findings.notChecked("eviction", "INFO does not tell maxmemory_policy");
		}
		else if (!policy.equals("noeviction")) {
			findings.add(node,
					"deletes keys when its memory is full (maxmemory-policy " + policy
							+ "), and with them tasks and leases",
					"set maxmemory-policy noeviction, or give the queues a Redis of their own");
		}
	}

	/** Without an append-only file, snapshots are the only copy on disk. */
	private void checkSnapshots(Findings findings, List<String> nodes) {
		Map<String, Properties> settings = this.nodes.config("save");
		for (String node : nodes) {
			String save = settings.getOrDefault(node, new Properties()).getProperty("save");
			if (save == null) {
				findings.notChecked("persistence", "CONFIG GET save has no answer");
			}
			else if (save.isBlank()) {
				findings.add(node, "stores nothing on disk, so that its end is the end of all tasks",
						"set appendonly yes (docs/reliability.md says what each setting keeps)");
			}
		}
	}

	private void checkClock(Findings findings) {
		long before = this.clock.millis();
		Map<String, Long> times = this.nodes.times();
		long after = this.clock.millis();
		times.forEach((node, time) -> {
			// Redis has looked at its clock at some time in between
			long apart = Math.max(time - after, before - time);
			if (apart > CLOCKS_MAY_DIFFER.toMillis()) {
				String seconds = String.format(Locale.ROOT, "%.1f s", apart / 1000.0);
				findings.add(node, "has a clock that is apart from that of this machine by " + seconds,
						"let NTP set both clocks; until then tasks that are scheduled here start by the other clock");
			}
		});
	}

}
