! told at 9:31: RANDOM_SEED should have at most one argument present
program fault
  integer :: n
  call seeds(size = n)
  call seeds(n, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
contains
    subroutine seeds(size, put)
      integer, optional :: size, put(:)
      call random_seed(size = size, put = put)
    end subroutine
end program
