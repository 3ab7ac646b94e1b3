! told at 7:13: Variable 'n' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: n
  call s(3, *30)
  n = 1
30 print *, n
contains
  subroutine s(k, *)
    integer, intent(in) :: k
    if (k > 2) return 1
  end subroutine
end program
