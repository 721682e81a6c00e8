package io.asynq.console;

/**
 * Takes out of payloads and results what nobody is to see in the console: passwords, card
 * numbers. All beans are applied in their order, before anything is shown or downloaded.
 * Must be safe for concurrent use. If one throws, the content is not shown.
 */
@FunctionalInterface
public interface TaskPayloadSanitizer {

	/**
	 * Returns the bytes that may be shown.
	 * @return new bytes, or those of the content if nothing is to be taken out
	 */
	byte[] sanitize(PayloadContent content);

}
