package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.asynq.group.GroupLimits;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.worker.Outcome;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How servers keep the archive small.
 */
@OnDrivers
class ArchiveContract extends OutcomeContract {

	private static final String LOCK = "asynq:{default}:unique:email:send:1181f89307fa271072c095747d5813cc";

	private static final byte[] RUBBISH = { (byte) 0xFF, 0x01, 0x02 };

	ArchiveContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void archiveKeepsNewestTenThousandAndLeavesNoOrphans() {
		seedArchive(10_050, nowSeconds() - 20_000);
		report(new Outcome.Archive(active(message("new").build()), "x"));
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000).containsKey("new").doesNotContainKey("old0");
		assertThat(this.state.exists("asynq:{default}:t:old0")).isFalse();
		assertThat(this.state.exists("asynq:{default}:t:old50")).isFalse();
		assertThat(this.state.exists("asynq:{default}:t:old51")).isTrue();
	}

	@Test
	void oversizedArchiveShrinksByHundredPerCall() {
		seedArchive(20_000, nowSeconds());
		report(new Outcome.Archive(active(message("0-first-of-all").build()), "x"));
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(20_001 - 100).containsKey("0-first-of-all");
		assertThat(this.state.fields(QUEUE, "0-first-of-all")).containsEntry("state", "archived");
	}

	@Test
	void archivedTaskAndLockExpireAfterNinetyDays() {
		TaskMessage old = message("old").uniqueKey(LOCK).build();
		this.state.seedArchived(this.clock.instant().minus(Duration.ofDays(90)), old);
		this.state.seedArchived(this.clock.instant().minus(Duration.ofDays(89)), message("younger").build());
		this.state.seedLock(LOCK, "old");
		report(new Outcome.Archive(active(message("new").build()), "x"));
		this.state.assertArchived(QUEUE, "younger", "new");
		assertThat(this.state.exists("asynq:{default}:t:old")).isFalse();
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	@Test
	void rejectedTasksOfGroupTrimArchive() {
		this.state.seedMany(QUEUE, "aggregating", 10_001, nowSeconds() - 600);
		this.state.redis().rename("asynq:{default}:aggregating", "asynq:{default}:g:g");
		StagedGroup staged = stage();
		List<TaskMessage> members = this.broker.groups().read(staged);
		assertThat(members).hasSize(10_001);
		this.broker.groups().archive(staged, members, "no use");
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000);
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(10_000);
	}

	@Test
	void undecodableGroupedTaskTrimsArchive() {
		seedArchive(10_050, nowSeconds() - 20_000);
		this.state.seedGrouped(in(-600), message("bad").group("g").build(), message("good").group("g").build());
		this.state.seedField(QUEUE, "bad", "msg", RUBBISH);
		assertThat(this.broker.groups().read(stage())).extracting(TaskMessage::id).containsExactly("good");
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000).containsKey("bad");
		assertThat(this.state.exists("asynq:{default}:t:old50")).isFalse();
		assertThat(this.state.exists("asynq:{default}:t:good")).isTrue();
	}

	@Test
	void undecodableTaskTrimsArchive() {
		seedArchive(10_050, nowSeconds() - 20_000);
		TaskMessage old = message("ancient").uniqueKey(LOCK).build();
		this.state.seedArchived(this.clock.instant().minus(Duration.ofDays(90)), old);
		this.state.seedLock(LOCK, "ancient");
		this.state.seedPending(message("bad").build());
		this.state.seedField(QUEUE, "bad", "msg", RUBBISH);
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).tasks()).isEmpty();
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000).containsKey("bad");
		assertThat(this.state.bytes(QUEUE, "bad", "msg")).isEqualTo(RUBBISH);
		assertThat(this.state.exists("asynq:{default}:t:ancient")).isFalse();
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	private StagedGroup stage() {
		return Objects.requireNonNull(this.broker.groups().stage(QUEUE, "g", GroupLimits.defaults()), "not due");
	}

	/**
	 * Archives tasks inside Redis, one per second up to now.
	 */
	private void seedArchive(int size, long oldest) {
		this.state.redis()
			.execute(RedisScript.of("""
					for i = 0, ARGV[1] - 1 do
						redis.call('ZADD', KEYS[1], math.min(ARGV[2] + i, ARGV[3]), 'old' .. i)
						redis.call('HSET', 'asynq:{default}:t:old' .. i, 'msg', '', 'state', 'archived')
					end
					return 1""", Long.class), List.of("asynq:{default}:archived"), Integer.toString(size),
					Long.toString(oldest), Long.toString(nowSeconds()));
	}

}
