package io.asynq.broker.redis.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.limit.LimitRule;
import io.asynq.broker.limit.LimitStore;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import org.jspecify.annotations.Nullable;

/**
 * Limits in Redis. Tokens lie in one slot, waiting tasks in that of their queue.
 */
public final class RedisLimitStore implements LimitStore {

	/** How long a promoted task has to take its token. */
	private static final Duration RESERVATION = Duration.ofSeconds(10);

	/** A little less, so that a look every ten seconds is never too early. */
	private static final Duration LOOK = Duration.ofMillis(9_500);

	private static final int CLASSES = 500;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final LimitScripts limits;

	private final Promotion promotion;

	private final long tokenMillis;

	public RedisLimitStore(ScriptRunner scripts, ScriptTime time, Duration leaseDuration) {
		this.scripts = scripts;
		this.time = time;
		this.limits = new LimitScripts(scripts, time);
		this.promotion = new Promotion(scripts, time, this.limits, RESERVATION.toMillis());
		this.tokenMillis = leaseDuration.toMillis();
	}

	@Override
	public void announce(Map<String, LimitRule> rules) {
		List<Object> args = new ArrayList<>();
		rules.forEach((name, rule) -> args.addAll(List.of(name, rule.text())));
		write(args);
	}

	@Override
	public void change(String limit, @Nullable LimitRule rule) {
		write(List.of("!" + limit, (rule != null) ? rule.text() : ""));
	}

	@Override
	public List<Taken> take(List<LimitClaim> claims) {
		return this.limits.about(LuaScript.TAKE_TOKENS, claims, this.tokenMillis)
			.stream()
			.map((answer) -> taken((Long) answer))
			.toList();
	}

	@Override
	public void extend(Collection<LimitClaim> claims) {
		if (!claims.isEmpty()) {
			this.limits.about(LuaScript.EXTEND_TOKENS, claims, this.tokenMillis);
		}
	}

	@Override
	public Set<String> release(Collection<LimitClaim> claims) {
		return this.promotion
			.promote(LimitScripts.turns(this.limits.about(LuaScript.RELEASE_TOKENS, claims, RESERVATION.toMillis())));
	}

	@Override
	public Set<String> lineUp(Collection<LimitClass> waiting) {
		return this.promotion.promote(this.limits.turns(LuaScript.LINE_UP,
				waiting.stream().map(LimitClass::text).toList(), RESERVATION.toMillis()));
	}

	@Override
	public Set<String> lookAfter(String queue) {
		Keys keys = Keys.of(queue);
		List<LimitClass> waiting = this.scripts
			.runList(LuaScript.LOOK_AFTER_WAITING, Text.queue(queue), List.of(keys.waiting(), keys.turn()),
					this.time.argument(), LOOK.toMillis(), CLASSES)
			.stream()
			.map((needs) -> new LimitClass(queue, Text.of(needs)))
			.toList();
		return waiting.isEmpty() ? Set.of() : lineUp(waiting);
	}

	private void write(List<Object> rules) {
		if (!rules.isEmpty()) {
			this.scripts.runLong(LuaScript.ANNOUNCE_LIMITS, "limits", List.of(Keys.LIMIT_RULES), rules.toArray());
		}
	}

	private static Taken taken(long code) {
		return new Taken(code == 1, (code < 0) ? Duration.ofMillis(-code) : null);
	}

}
