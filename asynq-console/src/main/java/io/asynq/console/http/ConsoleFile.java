package io.asynq.console.http;

/**
 * A download.
 *
 * @param name the name of the file, which may contain any character
 * @param mediaType what it is, such as {@code application/octet-stream}
 * @param content its bytes
 */
public record ConsoleFile(String name, String mediaType, byte[] content) {
}
