// A file of the tests, so that they need none of the front end
export const nothing = [0, 0, 0, 0, 0, 0, 0, 0];
export const nothing = [0, 0, 0, 0, 0, 0, 0, 0];
export const nothing = [0, 0, 0, 0, 0, 0, 0, 0];
export const nothing = [0, 0, 0, 0, 0, 0, 0, 0];
