/** Faults that the simulator must find. `plant` gives the code that stands for `sound`, of which there is one in `file`. */
export const PLANTED = [];
