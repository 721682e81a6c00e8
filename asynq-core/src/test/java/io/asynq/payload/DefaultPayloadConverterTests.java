package io.asynq.payload;

import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import com.google.protobuf.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link DefaultPayloadConverter}.
 */
class DefaultPayloadConverterTests {

	private final PayloadConverter converter = new DefaultPayloadConverter();

	@Test
	void keepsBytesAndTextUnchanged() {
		byte[] bytes = { 0, (byte) 0xff, '"' };
		assertThat(this.converter.toBytes(bytes)).isSameAs(bytes);
		assertThat(this.converter.fromBytes(bytes, byte[].class)).isSameAs(bytes);
		assertThat(this.converter.toBytes("grün")).isEqualTo("grün".getBytes(StandardCharsets.UTF_8));
		assertThat(this.converter.fromBytes(utf8("\"grün\""), String.class)).isEqualTo("\"grün\"");
	}

	@Test
	void missingPayloadStaysMissing() {
		assertThat(this.converter.toBytes(null)).isNull();
		assertThat(this.converter.fromBytes(null, Point.class)).isNull();
		assertThat(this.converter.fromBytes(new byte[0], Point.class)).isNull();
	}

	@Test
	void writesAndReadsRecordsAsJson() {
		assertThat(this.converter.toBytes(new Point(1, 2))).asString().isEqualTo("{\"x\":1,\"y\":2}");
		assertThat(this.converter.fromBytes(utf8("{\"y\":2,\"x\":1}"), Point.class)).isEqualTo(new Point(1, 2));
	}

	@Test
	void readsGenericTypes() {
		assertThat(this.converter.fromBytes(utf8("[{\"x\":1,\"y\":2}]"), type(new ParameterizedTypeReference<>() {
		}))).isEqualTo(List.of(new Point(1, 2)));
		Type map = new ParameterizedTypeReference<Map<String, List<Long>>>() {
		}.getType();
		assertThat(this.converter.fromBytes(utf8("{\"a\":[1]}"), map)).isEqualTo(Map.of("a", List.of(1L)));
	}

	@Test
	void readsAndWritesPrimitives() {
		assertThat(this.converter.toBytes(7)).asString().isEqualTo("7");
		assertThat(this.converter.fromBytes(utf8("7"), int.class)).isEqualTo(7);
		assertThat(this.converter.fromBytes(utf8("true"), boolean.class)).isEqualTo(true);
	}

	@Test
	void rejectsMissingPayloadForPrimitive() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.converter.fromBytes(null, int.class))
			.withMessageContaining("int")
			.withMessageContaining("java.lang.Integer");
	}

	@Test
	void writesAndReadsProtobufMessages() {
		Duration message = Duration.newBuilder().setSeconds(5).build();
		assertThat(this.converter.toBytes(message)).isEqualTo(message.toByteArray());
		assertThat(this.converter.fromBytes(message.toByteArray(), Duration.class)).isEqualTo(message);
	}

	@Test
	void usesGivenMapper() {
		JsonMapper mapper = JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
			.build();
		assertThat(new DefaultPayloadConverter(mapper).toBytes(new Point(1, 2))).asString()
			.isEqualTo("{\"X\":1,\"Y\":2}");
	}

	@Test
	void errorNamesTypeButNotContentOfUnreadablePayload() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.converter.fromBytes(utf8("{\"x\":\"secret\"}"), Point.class))
			.withMessageContaining(Point.class.getName())
			.withMessageNotContaining("secret")
			.withNoCause();
	}

	@Test
	void emptyPayloadIsDefaultProtobufMessage() {
		assertThat(this.converter.fromBytes(null, Duration.class)).isEqualTo(Duration.getDefaultInstance());
	}

	@Test
	void emptyPayloadIsEmptyBytesTextOrOptional() {
		assertThat(this.converter.fromBytes(null, byte[].class)).isEqualTo(new byte[0]);
		assertThat(this.converter.fromBytes(null, String.class)).isEqualTo("");
		assertThat(this.converter.fromBytes(null, Optional.class)).isEqualTo(Optional.empty());
	}

	@Test
	void errorNamesTypeOfUnreadableProtobufMessage() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.converter.fromBytes(new byte[] { (byte) 0xff }, Duration.class))
			.withMessageContaining(Duration.class.getName());
	}

	@Test
	void errorNamesClassThatCannotBeWritten() {
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> this.converter.toBytes(new Loop()))
			.withMessageContaining(Loop.class.getName());
	}

	@Test
	void payloadCannotChooseItsClass() {
		Object read = this.converter.fromBytes(utf8("{\"@class\":\"java.io.File\",\"path\":\"/\"}"), Object.class);
		assertThat(read).isEqualTo(Map.of("@class", "java.io.File", "path", "/"));
	}

	@Test
	void worksWithoutJackson() throws Exception {
		try (WithoutJackson loader = new WithoutJackson()) {
			Class<?> creator = loader.loadClass(Creator.class.getName());
			Object created = ((Callable<?>) creator.getConstructor().newInstance()).call();
			assertThat(created).isNotInstanceOf(DefaultPayloadConverter.class);
			PayloadConverter converter = (PayloadConverter) created;
			assertThat(converter.toBytes("text")).asString().isEqualTo("text");
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> converter.toBytes(new Point(1, 2)))
				.withMessageContaining("jackson-databind");
		}
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static Type type(ParameterizedTypeReference<List<Point>> reference) {
		return reference.getType();
	}

	record Point(int x, int y) {
	}

	static final class Loop {

		public Loop getSelf() {
			return this;
		}

	}

	/**
	 * Uses the converter as an application without Jackson would.
	 */
	public static final class Creator implements Callable<PayloadConverter> {

		@Override
		public PayloadConverter call() {
			return new DefaultPayloadConverter();
		}

	}

	/**
	 * Loads the classes under test again and hides Jackson.
	 */
	private static final class WithoutJackson extends URLClassLoader {

		WithoutJackson() {
			super(new URL[] { location(DefaultPayloadConverter.class), location(DefaultPayloadConverterTests.class) },
					DefaultPayloadConverterTests.class.getClassLoader());
		}

		private static URL location(Class<?> type) {
			return type.getProtectionDomain().getCodeSource().getLocation();
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith("tools.jackson")) {
				throw new ClassNotFoundException(name);
			}
			if (name.startsWith("io.asynq.payload.") && !name.startsWith("io.asynq.payload.PayloadCon")) {
				synchronized (getClassLoadingLock(name)) {
					Class<?> loaded = findLoadedClass(name);
					return (loaded != null) ? loaded : findClass(name);
				}
			}
			return super.loadClass(name, resolve);
		}

	}

}
