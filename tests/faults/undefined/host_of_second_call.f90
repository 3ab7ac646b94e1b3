! told at 15:9: Variable 'k' is used before it has a value
! flags: -fcheck=undefined
program fault
  call outer(.true.)
  call outer(.false.)
contains
  subroutine outer(first)
    logical, intent(in) :: first
    call s(first)
  end subroutine
  subroutine s(first)
    logical, intent(in) :: first
    integer :: k
    if (first) k = 3
    if (k > 2) print *, 'large'
  end subroutine
end program
