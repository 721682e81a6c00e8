package io.asynq.internal.redis;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfigBuilderCustomizer;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration.LettucePoolingClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

class ServerConnectionsTests {

	private final RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration("redis.example", 6380);

	private final RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode("a", 1)
		.clusterNode("b", 2);

	private final RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration().master("tasks")
		.sentinel("a", 1);

	@Test
	void jedisCopyUsesSameServerAndUser() {
		this.standalone.setDatabase(3);
		this.standalone.setUsername("worker");
		JedisConnectionFactory copy = jedis(new JedisConnectionFactory(this.standalone));
		assertThat(copy.getStandaloneConfiguration()).isEqualTo(this.standalone);
	}

	@Test
	void jedisCopyKeepsTlsTimeoutsNameAndCustomizers() {
		SSLSocketFactory sockets = mock();
		SSLParameters parameters = new SSLParameters();
		JedisClientConfigBuilderCustomizer credentials = mock();
		var settings = JedisClientConfiguration.builder()
			.connectTimeout(Duration.ofSeconds(7))
			.readTimeout(Duration.ofSeconds(9))
			.clientName("orders")
			.customizeClientConfig(credentials);
		settings.useSsl().sslSocketFactory(sockets).sslParameters(parameters);
		JedisClientConfiguration copy = jedis(new JedisConnectionFactory(this.standalone, settings.build()))
			.getClientConfiguration();
		assertThat(copy.getConnectTimeout()).isEqualTo(Duration.ofSeconds(7));
		assertThat(copy.getReadTimeout()).isEqualTo(Duration.ofSeconds(9));
		assertThat(copy.getClientName()).contains("orders");
		assertThat(copy.getClientConfigCustomizer()).containsSame(credentials);
		assertThat(copy.isUseSsl()).isTrue();
		assertThat(copy.getSslSocketFactory()).containsSame(sockets);
		assertThat(copy.getSslParameters()).containsSame(parameters);
	}

	@Test
	void jedisCopyHasSmallPool() {
		GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(200);
		pool.setMinIdle(50);
		pool.setMaxWait(Duration.ofMillis(1));
		pool.setTestOnBorrow(true);
		var settings = JedisClientConfiguration.builder();
		settings.usePooling().poolConfig(pool);
		GenericObjectPoolConfig<?> copy = jedis(new JedisConnectionFactory(this.standalone, settings.build()))
			.getClientConfiguration()
			.getPoolConfig()
			.orElseThrow();
		assertThat(copy.getMaxTotal()).isEqualTo(4);
		assertThat(copy.getMinIdle()).isEqualTo(4);
		assertThat(copy.getMaxWaitDuration()).isNegative();
		assertThat(copy.getTestOnBorrow()).isTrue();
		assertThat(pool.getMaxTotal()).isEqualTo(200);
	}

	@Test
	void jedisCopyIsPooledEvenIfApplicationIsNot() {
		JedisClientConfiguration without = JedisClientConfiguration.builder().build();
		JedisClientConfiguration copy = jedis(new JedisConnectionFactory(this.standalone, without))
			.getClientConfiguration();
		assertThat(copy.isUsePooling()).isTrue();
		assertThat(copy.getPoolConfig().orElseThrow().getMaxTotal()).isEqualTo(4);
	}

	@Test
	void jedisCopyUsesSameSentinelsAndNodes() {
		assertThat(jedis(new JedisConnectionFactory(this.sentinel)).getSentinelConfiguration())
			.isEqualTo(this.sentinel);
		assertThat(jedis(new JedisConnectionFactory(this.cluster)).getClusterConfiguration()).isEqualTo(this.cluster);
	}

	@Test
	void jedisCopyKeepsClientChosenByApplication() {
		JedisConnectionFactory application = new JedisConnectionFactory(this.standalone);
		application.setUseUnifiedJedis(!application.isUseUnifiedJedis());
		assertThat(jedis(application).isUseUnifiedJedis()).isEqualTo(application.isUseUnifiedJedis());
	}

	@Test
	void lettuceCopyHasSameClientSettings() {
		RedisCredentialsProviderFactory credentials = mock();
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.commandTimeout(Duration.ofSeconds(9))
			.redisCredentialsProviderFactory(credentials)
			.useSsl()
			.build();
		LettuceConnectionFactory application = new LettuceConnectionFactory(this.standalone, client);
		application.setShareNativeConnection(false);
		LettuceConnectionFactory copy = lettuce(application);
		assertThat(copy.getClientConfiguration()).isSameAs(client);
		assertThat(copy.getHostName()).isEqualTo("redis.example");
		assertThat(copy.getPort()).isEqualTo(6380);
		assertThat(copy.getShareNativeConnection()).isTrue();
	}

	@Test
	void lettuceCopyHasNoPoolAndAllOtherSettings() {
		LettucePoolingClientConfigurationBuilder settings = LettucePoolingClientConfiguration.builder()
			.poolConfig(new GenericObjectPoolConfig<>())
			.commandTimeout(Duration.ofSeconds(9))
			.shutdownTimeout(Duration.ofSeconds(8))
			.shutdownQuietPeriod(Duration.ofSeconds(7))
			.redisCredentialsProviderFactory(mock())
			.clientResources(mock())
			.clientOptions(ClientOptions.create())
			.clientName("worker")
			.readFrom(ReadFrom.UPSTREAM);
		settings.useSsl().verifyPeer(SslVerifyMode.CA).startTls();
		LettuceClientConfiguration client = settings.build();
		LettuceClientConfiguration copied = lettuce(new LettuceConnectionFactory(this.standalone, client))
			.getClientConfiguration();
		assertThat(copied).isNotInstanceOf(LettucePoolingClientConfiguration.class);
		for (Method setting : ReflectionUtils.getAllDeclaredMethods(LettuceClientConfiguration.class)) {
			if (!Modifier.isStatic(setting.getModifiers())) {
				assertThat(ReflectionUtils.invokeMethod(setting, copied)).as(setting.getName())
					.isEqualTo(ReflectionUtils.invokeMethod(setting, client));
			}
		}
	}

	@Test
	void lettuceCopyUsesSameSentinelsNodesAndReplicas() {
		RedisStaticMasterReplicaConfiguration replicas = new RedisStaticMasterReplicaConfiguration("a");
		assertThat(lettuce(new LettuceConnectionFactory(this.sentinel)).getSentinelConfiguration())
			.isEqualTo(this.sentinel);
		assertThat(lettuce(new LettuceConnectionFactory(this.cluster)).getClusterConfiguration())
			.isEqualTo(this.cluster);
		LettuceConnectionFactory copy = lettuce(
				new LettuceConnectionFactory(replicas, LettuceClientConfiguration.defaultConfiguration()));
		assertThat(ReflectionTestUtils.getField(copy, "configuration")).isSameAs(replicas);
	}

	@Test
	void subclassOrWrapperIsNotCopied() {
		RedisConnectionFactory wrapper = mock();
		JedisConnectionFactory jedis = new JedisConnectionFactory(this.standalone) {
		};
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(this.standalone) {
		};
		for (RedisConnectionFactory application : new RedisConnectionFactory[] { wrapper, jedis, lettuce }) {
			ServerConnections connections = new ServerConnections(application, ServerConnections.Source.COPY);
			assertThat(connections.isOwn()).isFalse();
			assertThat(connections.factory()).isSameAs(application);
		}
	}

	@Test
	void originalFactoryIsNotChanged() throws Exception {
		JedisConnectionFactory given = mock();
		ServerConnections connections = new ServerConnections(given, ServerConnections.Source.OWN);
		assertThat(connections.isOwn()).isTrue();
		connections.afterPropertiesSet();
		connections.start();
		connections.stop();
		connections.destroy();
		assertThat(mockingDetails(given).getInvocations()).isEmpty();
	}

	private static JedisConnectionFactory jedis(JedisConnectionFactory application) {
		return (JedisConnectionFactory) copy(application);
	}

	private static LettuceConnectionFactory lettuce(LettuceConnectionFactory application) {
		return (LettuceConnectionFactory) copy(application);
	}

	private static RedisConnectionFactory copy(RedisConnectionFactory application) {
		ServerConnections connections = new ServerConnections(application, ServerConnections.Source.COPY);
		assertThat(connections.isOwn()).isTrue();
		assertThat(connections.factory()).isNotSameAs(application);
		return connections.factory();
	}

}
