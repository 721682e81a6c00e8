package io.asynq.operations.preflight;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.UsableRedis;
import org.jspecify.annotations.Nullable;

final class NodeCheck {

	private static final Duration CLOCKS_MAY_DIFFER = Duration.ofSeconds(1);

	private final ScriptRunner scripts;

	private final UsableRedis usable;

	private final Clock clock;

	private final RedisUserRule rule;

	NodeCheck(ScriptRunner scripts, Clock clock, RedisUserRule rule) {
		this.scripts = scripts;
		this.usable = new UsableRedis(scripts);
		this.clock = clock;
		this.rule = rule;
	}

	Findings run(StoreNode node) {
		Findings findings = new Findings();
		if (isTooOld(node, findings)) {
			// It does not know half of the other questions
			return findings;
		}
		findings.check("the rights of the Redis user", () -> checkRights(node, findings));
		findings.check("eviction, persistence and role", () -> checkInfo(node, findings));
		findings.check("the clock", () -> checkClock(node, findings));
		return findings;
	}

	private boolean isTooOld(StoreNode node, Findings findings) {
		try {
			List<String> tags = node.isOnly() ? Keys.CHECK_TAGS : List.of(node.tag());
			if (this.usable.isNewEnough(tags)) {
				return false;
			}
			findings.add(node.address(), "is too old", UsableRedis.TOO_OLD);
			return true;
		}
		catch (BrokerException ex) {
			if (!Findings.isForbidden(ex)) {
				throw ex;
			}
			// The check of the rights tells it better
			return false;
		}
	}

	private void checkRights(StoreNode node, Findings findings) {
		try {
			List<Object> args = new ArrayList<>(List.of(Keys.CANCEL_CHANNEL));
			args.addAll(this.rule.commands());
			List<String> missing = this.scripts
				.runList(LuaScript.CHECK_RIGHTS, "the rights of the Redis user",
						List.of(Keys.check(node.tag()), Keys.checkOfGo(node.tag())), args.toArray())
				.stream()
				.map(Text::of)
				.toList();
			if (!missing.isEmpty()) {
				findings.add(node.address(), "does not let its user run " + String.join(", ", missing),
						this.rule.advice());
			}
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			if (!Findings.isForbidden(ex)) {
				throw ex;
			}
			findings.add(node.address(), "does not let its user do everything (" + ex.getMessage() + ")",
					this.rule.advice());
		}
	}

	private void checkInfo(StoreNode node, Findings findings) {
		Properties info = node.info();
		if (info == null) {
			// A command that is queued in a transaction has no answer
			return;
		}
		checkEviction(findings, node.address(), info.getProperty("maxmemory_policy"));
		if ("slave".equals(info.getProperty("role"))) {
			findings.add(node.address(), "is a replica, which refuses every write",
					"point spring.data.redis at the primary, or at its Sentinels");
		}
		if (!"1".equals(info.getProperty("aof_enabled"))) {
			findings.check("persistence", () -> checkSnapshots(node, findings));
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
	private static void checkSnapshots(StoreNode node, Findings findings) {
		Properties settings = node.config("save");
		String save = (settings != null) ? settings.getProperty("save") : null;
		if (save == null) {
			findings.notChecked("persistence", "CONFIG GET save has no answer");
		}
		else if (save.isBlank()) {
			findings.add(node.address(), "stores nothing on disk: when it ends, all tasks are lost",
					"set appendonly yes (docs/reliability.md says what each setting keeps)");
		}
	}

	private void checkClock(StoreNode node, Findings findings) {
		long before = this.clock.millis();
		Long time = node.time();
		long after = this.clock.millis();
		// Redis has looked at its clock at some time in between
		long apart = (time != null) ? Math.max(time - after, before - time) : 0;
		if (apart > CLOCKS_MAY_DIFFER.toMillis()) {
			String seconds = String.format(Locale.ROOT, "%.1f s", apart / 1000.0);
			findings.add(node.address(), "has a clock that is apart from that of this machine by " + seconds,
					"let NTP set both clocks; until then tasks that are scheduled here start by the other clock");
		}
	}

}
