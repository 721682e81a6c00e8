package io.asynq.test;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import io.asynq.internal.limit.LimitClaim;
import io.asynq.internal.limit.LimitRule;
import io.asynq.internal.limit.LimitStore;
import io.asynq.internal.limit.LimitTurns;
import io.asynq.internal.worker.LimitClass;
import org.jspecify.annotations.Nullable;

/**
 * Tokens as a test wants them.
 */
public class FakeLimitStore extends LimitStore {

	protected static final LimitTurns NONE = new LimitTurns(List.of(), null);

	public final Collection<String> extended = new ConcurrentLinkedQueue<>();

	public final Collection<String> released = new ConcurrentLinkedQueue<>();

	public final Collection<String> announced = new ConcurrentLinkedQueue<>();

	public final Collection<LimitTurns.Taken> givenBack = new ConcurrentLinkedQueue<>();

	public FakeLimitStore() {
		super(null, null, Duration.ZERO);
	}

	/** What it answers to each attempt to take tokens. */
	public volatile Function<List<LimitClaim>, List<Answer>> answers = (
			claims) -> claims.stream().map((claim) -> Answer.GRANTED).toList();

	@Override
	public void announce(Map<String, LimitRule> rules) {
		this.announced.addAll(rules.keySet());
	}

	@Override
	public void change(String limit, @Nullable LimitRule rule) {
	}

	@Override
	public List<Answer> take(List<LimitClaim> claims) {
		return this.answers.apply(claims);
	}

	@Override
	public void extend(Collection<LimitClaim> claims) {
		claims.forEach((claim) -> this.extended.add(claim.taskId()));
	}

	@Override
	public LimitTurns release(Collection<LimitClaim> claims) {
		claims.forEach((claim) -> this.released.add(claim.taskId()));
		return NONE;
	}

	@Override
	public LimitTurns lineUp(Collection<LimitClass> waiting) {
		return NONE;
	}

	@Override
	public LimitTurns note(Collection<LimitClass> waiting) {
		return NONE;
	}

	@Override
	public LimitTurns look(boolean all) {
		return NONE;
	}

	@Override
	public List<LimitTurns.Taken> wake(String queue, List<LimitTurns.Turn> turns) {
		return turns.stream().map((turn) -> new LimitTurns.Taken(turn, turn.tasks(), false, 1)).toList();
	}

	@Override
	public LimitTurns giveBack(List<LimitTurns.Taken> unused) {
		this.givenBack.addAll(unused);
		return NONE;
	}

	@Override
	public List<LimitClass> unnoted(String queue) {
		return List.of();
	}

	@Override
	public LimitTurns.Part sweep(boolean goOn) {
		return new LimitTurns.Part(0, true, List.of());
	}

}
