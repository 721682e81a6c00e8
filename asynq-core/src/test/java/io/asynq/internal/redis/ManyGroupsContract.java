package io.asynq.internal.redis;

import java.util.List;

import io.asynq.BrokerException;
import io.asynq.internal.group.GroupStore.Relisted;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * One pass lists any number of groups again, and still ends.
 */
@OnDrivers
class ManyGroupsContract extends BrokerContract {

	private static final String NOTES = "asynqj:{default}:groups";

	private static final String SETS = "asynq:{default}:aggregation_sets";

	ManyGroupsContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void removedMarkersDoNotHideOthers() {
		note("stale", 30, nowSeconds() - 600);
		note("later", 1250, nowSeconds() + 600);
		fill("later", 1250);
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(1250, 0));
		assertThat(listed()).isEqualTo(1250);
		assertThat(size(NOTES)).isEqualTo(1250);
	}

	@Test
	void everyStagedSetIsMarkedInOnePass() {
		stage("g", 1250, nowSeconds() + 60);
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 0));
		assertThat(size(NOTES)).isEqualTo(1250);
		// As Go's recoverer does it: all at once, without listing a group
		this.state.redis().delete(SETS);
		unstage("g", 1250);
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(1250, 0));
		assertThat(listed()).isEqualTo(1250);
	}

	@Test
	void everyExpiredSetReturnsInOnePass() {
		stage("over", 250, nowSeconds() - 1);
		stage("staged", 250, nowSeconds() + 60);
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 250));
		assertThat(listed()).isEqualTo(250);
		assertThat(size(SETS)).isEqualTo(250);
		assertThat(size("asynq:{default}:g:over249")).isEqualTo(1);
	}

	@Test
	void passStopsAfterFiftyThousandGroups() {
		note("later", 60_000, nowSeconds() + 600);
		fill("later", 60_000);
		int first = this.broker.groups().relist(QUEUE).groups();
		assertThat(first).isBetween(50_000, 55_000);
		assertThat(this.broker.groups().relist(QUEUE).groups()).isEqualTo(60_000 - first);
		assertThat(listed()).isEqualTo(60_000);
	}

	@Test
	void keysOfWrongTypeAreNamedAndNothingIsLost() {
		stage("over", 1, nowSeconds() - 1);
		this.state.redis().opsForValue().set("asynq:{default}:groups", "no set");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.groups().relist(QUEUE))
			.withMessageContainingAll("queue 'default'", "asynq:{default}:groups", "rename or delete");
		assertThat(size(SETS)).isEqualTo(1);
		this.state.redis().delete("asynq:{default}:groups");
		assertThat(this.broker.groups().relist(QUEUE)).isEqualTo(new Relisted(0, 1));
	}

	private void note(String prefix, int count, long until) {
		each("redis.call('ZADD', KEYS[1], ARGV[3], name)", NOTES, prefix, count, until);
	}

	private void fill(String prefix, int count) {
		each("redis.call('ZADD', 'asynq:{default}:g:' .. name, ARGV[3], 't' .. i)", NOTES, prefix, count, nowSeconds());
	}

	private void stage(String prefix, int count, long until) {
		each("""
				local set = 'asynq:{default}:g:' .. name .. ':6ba7b810'
				redis.call('ZADD', set, 1, 't' .. i)
				redis.call('ZADD', KEYS[1], ARGV[3], set)""", SETS, prefix, count, until);
	}

	private void unstage(String prefix, int count) {
		each("redis.call('RENAME', 'asynq:{default}:g:' .. name .. ':6ba7b810', 'asynq:{default}:g:' .. name)", SETS,
				prefix, count, 0);
	}

	/**
	 * Applies commands to many groups inside Redis.
	 */
	private void each(String what, String key, String prefix, int count, long number) {
		String script = "for i = 0, ARGV[2] - 1 do\nlocal name = ARGV[1] .. i\n" + what + "\nend\nreturn 1";
		this.state.redis()
			.execute(RedisScript.of(script, Long.class), List.of(key), prefix, Integer.toString(count),
					Long.toString(number));
	}

	private long listed() {
		Long size = this.state.redis().opsForSet().size("asynq:{default}:groups");
		return (size != null) ? size : 0;
	}

	private long size(String key) {
		Long size = this.state.redis().opsForZSet().size(key);
		return (size != null) ? size : 0;
	}

}
