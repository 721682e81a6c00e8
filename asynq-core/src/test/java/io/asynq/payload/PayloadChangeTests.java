package io.asynq.payload;

import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.asynq.internal.redis.Keys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two versions of an application at work at once: the rules of docs/payloads.md. Types
 * that begin with New are those of the later version.
 */
class PayloadChangeTests {

	private final PayloadConverter converter = new DefaultPayloadConverter();

	@Test
	void addedFieldIsZeroInOldTasksAndIgnoredByOldHandlers() {
		assertThat(pass(new Mail("ada"), NewMail.class)).isEqualTo(new NewMail("ada", 0, "en"));
		assertThat(pass(new NewMail("ada", 3, "de"), Mail.class)).isEqualTo(new Mail("ada"));
	}

	@Test
	void removedFieldIsIgnoredInOldTasksAndZeroForOldHandlers() {
		assertThat(pass(new NewMail("ada", 3, "de"), Mail.class)).isEqualTo(new Mail("ada"));
		assertThat(pass(new Mail("ada"), NewMail.class).attempts()).isZero();
	}

	@Test
	void renamedFieldIsReadUnderBothNamesByEachStep() {
		Mail old = new Mail("ada");
		assertThat(pass(old, ReadsBoth.class)).isEqualTo(new ReadsBoth("ada"));
		assertThat(pass(new ReadsBoth("ada"), Mail.class)).isEqualTo(old);
		assertThat(pass(new ReadsBoth("ada"), NewName.class)).isEqualTo(new NewName("ada"));
		assertThat(pass(new NewName("ada"), ReadsBoth.class)).isEqualTo(new ReadsBoth("ada"));
		assertThat(pass(old, NewName.class)).isEqualTo(new NewName("ada"));
	}

	@Test
	void fieldRenamedInOneStepIsLostToOldHandlers() {
		assertThat(pass(new NewName("ada"), Mail.class)).isEqualTo(new Mail(null));
	}

	@Test
	void numberMayBecomeLargerOrText() {
		assertThat(read("{\"count\":7}", Large.class)).isEqualTo(new Large(7));
		assertThat(read("{\"count\":7}", Text.class)).isEqualTo(new Text("7"));
	}

	@Test
	void numberThatDoesNotFitTheOldTypeIsAnError() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> read("{\"count\":3000000000}", Small.class))
			.withMessageContaining("$.count, field count of " + Small.class.getName());
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> read("{\"count\":\"many\"}", Small.class))
			.withMessageContaining("$.count, field count of " + Small.class.getName() + ": no int");
	}

	@Test
	void unknownConstantIsDefaultOfItsEnum() {
		assertThat(read("{\"channel\":\"FAX\"}", Sent.class)).isEqualTo(new Sent(Channel.OTHER));
	}

	@Test
	void unknownConstantWithoutDefaultIsAnError() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> read("{\"size\":\"HUGE\"}", Parcel.class))
			.withMessageContaining("$.size, field size of " + Parcel.class.getName() + ": no " + Size.class.getName());
	}

	@Test
	void movedAndRenamedClassesAreReadAsWell() {
		Envelope old = new Envelope(new Mail("ada"), List.of(new Mail("bob")), new Card("4711"));
		assertThat(write(old)).doesNotContain("Mail", "Envelope", "Card", "asynq");
		Moved.Post moved = new Moved.Post(new Moved.Letter("ada"), List.of(new Moved.Letter("bob")),
				new Moved.BankCard("4711"));
		assertThat(pass(old, Moved.Post.class)).isEqualTo(moved);
		assertThat(pass(moved, Envelope.class)).isEqualTo(old);
	}

	@Test
	void changedPayloadHasAnotherLock() {
		String lock = lock(new Mail("ada"));
		assertThat(lock(new Mail("ada"))).isEqualTo(lock);
		assertThat(lock(new NewMail("ada", 0, "en"))).isNotEqualTo(lock);
		assertThat(lock(new NewName("ada"))).isNotEqualTo(lock);
	}

	@Test
	void sealedTypeIsWrittenWithItsName() {
		assertThat(write(new Card("4711"))).isEqualTo("{\"by\":\"card\",\"number\":\"4711\"}");
		assertThat(pass(new Card("4711"), Payment.class)).isEqualTo(new Card("4711"));
		assertThat(pass(new Order(new Cash(5)), Order.class)).isEqualTo(new Order(new Cash(5)));
	}

	@Test
	void unknownNameOfSealedTypeIsItsDefault() {
		assertThat(read("{\"payment\":{\"by\":\"cheque\",\"bank\":\"x\"}}", Order.class))
			.isEqualTo(new Order(new UnknownPayment()));
	}

	@Test
	void unknownNameOfSealedTypeWithoutDefaultIsAnError() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> read("{\"shape\":{\"@type\":\"geheim4711\"}}", Drawing.class))
			.withMessageContaining(
					"$.shape, field shape of " + Drawing.class.getName() + ": no " + Shape.class.getName())
			.withMessageNotContaining("geheim4711");
	}

	/**
	 * Returns the unique lock of a task whose type stays the same.
	 */
	private String lock(Object payload) {
		return Keys.of("default").unique("mail", this.converter.toBytes(payload));
	}

	private <T> T pass(Object payload, Class<T> type) {
		return read(write(payload), type);
	}

	private <T> T read(String json, Class<T> type) {
		return type.cast(this.converter.fromBytes(json.getBytes(StandardCharsets.UTF_8), type));
	}

	private String write(Object payload) {
		return new String(this.converter.toBytes(payload), StandardCharsets.UTF_8);
	}

	record Mail(@Nullable String to) {
	}

	record NewMail(String to, int attempts, String language) {

		NewMail {
			language = (language != null) ? language : "en";
		}

	}

	record Envelope(Mail mail, List<Mail> copies, Payment payment) {
	}

	/** The classes of the later version, in another place and with other names. */
	static final class Moved {

		private Moved() {
		}

		record Post(Letter mail, List<Letter> copies, Paid payment) {
		}

		record Letter(String to) {
		}

		@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
		sealed interface Paid permits BankCard {

		}

		@JsonTypeName("card")
		record BankCard(String number) implements Paid {
		}

	}

	record ReadsBoth(@JsonProperty("to") @JsonAlias("recipient") String recipient) {
	}

	record NewName(@JsonAlias("to") String recipient) {
	}

	record Small(int count) {
	}

	record Large(long count) {
	}

	record Text(String count) {
	}

	record Sent(Channel channel) {
	}

	enum Channel {

		MAIL,

		@JsonEnumDefaultValue
		OTHER

	}

	record Parcel(Size size) {
	}

	enum Size {

		SMALL

	}

	record Order(Payment payment) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by", defaultImpl = UnknownPayment.class)
	sealed interface Payment permits Card, Cash, UnknownPayment {

	}

	@JsonTypeName("card")
	record Card(String number) implements Payment {
	}

	@JsonTypeName("cash")
	record Cash(int cents) implements Payment {
	}

	@JsonTypeName("unknown")
	record UnknownPayment() implements Payment {
	}

	record Drawing(Shape shape) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	sealed interface Shape permits Circle {

	}

	@JsonTypeName("circle")
	record Circle(int radius) implements Shape {
	}

}
