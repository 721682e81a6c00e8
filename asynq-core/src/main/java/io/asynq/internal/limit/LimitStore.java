package io.asynq.internal.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.internal.limit.LimitTurns.Part;
import io.asynq.internal.limit.LimitTurns.Taken;
import io.asynq.internal.limit.LimitTurns.Turn;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.LimitClass;
import org.jspecify.annotations.Nullable;

/** Tokens lie in one slot, waiting tasks in that of their queue. */
public class LimitStore {

	/** A little less, so that a look every ten seconds is never too early. */
	private static final Duration LOOK = Duration.ofMillis(9_500);

	private static final int CLASSES = 500;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final long tokenMillis;

	public LimitStore(ScriptRunner scripts, ScriptTime time, Duration leaseDuration) {
		this.scripts = scripts;
		this.time = time;
		this.tokenMillis = leaseDuration.toMillis();
	}

	/** Limits whose rule was never announced have no tokens. */
	public void announce(Map<String, LimitRule> rules) {
		List<Object> args = new ArrayList<>();
		rules.forEach((name, rule) -> args.addAll(List.of(name, rule.text())));
		write(args);
	}

	/** Wins over what servers announce, until it is {@code null} again. */
	public void change(String limit, @Nullable LimitRule rule) {
		write(List.of("!" + limit, (rule != null) ? rule.text() : ""));
		// The next look finds whoever can go on now
		Part part = sweep(true);
		for (int seen = part.turns().size(); seen < part.all(); seen += Math.max(1, part.turns().size())) {
			part = sweep(true);
		}
	}

	/** Takes one token of every limit, or none; tokens expire unless extended. */
	public List<Answer> take(List<LimitClaim> claims) {
		List<Object> args = new ArrayList<>();
		claims.forEach((claim) -> args
			.addAll(List.of(claim.limits().text(), claim.taskId(), claim.attempt(), claim.woken() ? 1 : 0)));
		return call(LuaScript.TAKE_TOKENS, args).stream().map((code) -> switch (((Long) code).intValue()) {
			case 1 -> Answer.GRANTED;
			case 0 -> Answer.REFUSED;
			default -> Answer.UNKNOWN;
		}).toList();
	}

	public void extend(Collection<LimitClaim> claims) {
		if (!claims.isEmpty()) {
			call(LuaScript.EXTEND_TOKENS, owners(claims));
		}
	}

	/**
	 * A claim without a token gets none afterwards: a call that takes it may be on its
	 * way.
	 */
	public LimitTurns release(Collection<LimitClaim> claims) {
		return turns(LuaScript.RELEASE_TOKENS, owners(claims));
	}

	/** Must follow the outcome that says that the tasks wait. */
	public LimitTurns lineUp(Collection<LimitClass> waiting) {
		return lineUp(1, waiting);
	}

	/** Lines up tasks whose server died between ending them and doing so. */
	public LimitTurns note(Collection<LimitClass> waiting) {
		return lineUp(0, waiting);
	}

	/**
	 * Finds tasks that can go on by now, with {@code all} also by tokens of dead servers.
	 */
	public LimitTurns look(boolean all) {
		return turns(LuaScript.LOOK_FOR_TURNS, List.of(all ? 1 : 0));
	}

	public List<Taken> wake(String queue, List<Turn> turns) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(List.of(this.time.argument(), keys.taskPrefix()));
		turns.forEach((turn) -> args.addAll(List.of(turn.limits().needs(), turn.tasks())));
		List<Object> answer = this.scripts.runList(LuaScript.WAKE_WAITING, Text.queue(queue),
				List.of(keys.pending(), keys.retry(), keys.paused(), keys.waiting()), args.toArray());
		List<Taken> taken = new ArrayList<>();
		for (int i = 0; i < turns.size(); i++) {
			int woken = ((Long) answer.get(2 * i)).intValue();
			taken.add(new Taken(turns.get(i), Math.max(0, woken), woken < 0, (Long) answer.get(2 * i + 1)));
		}
		return taken;
	}

	/** Also gives up the place of classes of which no task waits any more. */
	public LimitTurns giveBack(List<Taken> unused) {
		List<Object> args = new ArrayList<>();
		for (Taken each : unused) {
			Turn turn = each.turn();
			args.addAll(List.of(turn.limits().text(), turn.number(), turn.tasks() - each.woken(),
					(each.left() == 0) ? "1" : each.rests() ? "0" : ""));
		}
		return turns(LuaScript.GIVE_BACK_TURNS, args);
	}

	/** Each queue is looked at by one server in ten seconds. */
	public List<LimitClass> unnoted(String queue) {
		Keys keys = Keys.of(queue);
		return this.scripts
			.runList(LuaScript.READ_UNNOTED, Text.queue(queue), List.of(keys.waiting(), keys.turn()),
					this.time.argument(), LOOK.toMillis(), CLASSES)
			.stream()
			.map((needs) -> new LimitClass(queue, Text.of(needs)))
			.toList();
	}

	/** One server begins a sweep every ten seconds and goes on with it by itself. */
	public Part sweep(boolean goOn) {
		List<Object> answer = call(LuaScript.SWEEP_WAITING, List.of(goOn ? 0 : LOOK.toMillis()));
		List<Turn> turns = new ArrayList<>();
		for (int i = 2; i < answer.size(); i += 2) {
			turns.add(new Turn(LimitClass.of(Text.of(answer.get(i))), 0, Text.of(answer.get(i + 1))));
		}
		return new Part((Long) answer.get(0), (Long) answer.get(1) == 1, turns);
	}

	private LimitTurns lineUp(int begun, Collection<LimitClass> waiting) {
		List<Object> args = new ArrayList<>(List.of(begun));
		waiting.forEach((limits) -> args.add(limits.text()));
		return turns(LuaScript.LINE_UP, args);
	}

	private void write(List<Object> rules) {
		if (!rules.isEmpty()) {
			this.scripts.runLong(LuaScript.ANNOUNCE_LIMITS, "limits", List.of(Keys.LIMIT_RULES), rules.toArray());
		}
	}

	private LimitTurns turns(LuaScript script, List<?> about) {
		List<Object> answer = call(script, about);
		List<Turn> turns = new ArrayList<>();
		for (int i = 1; i < answer.size(); i += 3) {
			turns.add(new Turn(LimitClass.of(Text.of(answer.get(i))), ((Long) answer.get(i + 1)).intValue(),
					Text.of(answer.get(i + 2))));
		}
		long again = (Long) answer.get(0);
		return new LimitTurns(turns, (again >= 0) ? Duration.ofMillis(again) : null);
	}

	private List<Object> call(LuaScript script, List<?> about) {
		List<Object> args = new ArrayList<>(List.of(this.time.argument(), Keys.LIMIT_PREFIX, this.tokenMillis));
		args.addAll(about);
		return this.scripts.runList(script, "limits", List.of(Keys.LIMIT_RULES), args.toArray());
	}

	private static List<Object> owners(Collection<LimitClaim> claims) {
		List<Object> args = new ArrayList<>();
		claims.forEach((claim) -> args.addAll(List.of(claim.limits().text(), claim.taskId(), claim.attempt())));
		return args;
	}

	public enum Answer {

		GRANTED,

		REFUSED,

		UNKNOWN

	}

}
