! Nests whose loops change places, with bounds that depend on the outer ones: several counts leave the nest at once.
program main
  implicit none
  integer :: n7, n8, ix(8)
  common /bounds/ n7, n8
  ix = [1, 2, 3, 4, 5, 6, 7, 8]
  n7 = 4
  n8 = 5
  call four(ix)
contains
  subroutine four(ix)
    integer, intent(in) :: ix(8)
    integer :: i1, i, j, k, l
    i1 = 0
    do i = n8, 2, -3
      do j = i, n7
        do k = 1, i
          do l = 1, n7
            i1 = ix(l)
          end do
        end do
      end do
    end do
    print *, i1
  end subroutine
end program
