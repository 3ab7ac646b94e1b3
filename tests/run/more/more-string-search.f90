! dictionary-like sorted strings, binary search, char comparisons
program p
  implicit none
  integer, parameter :: n = 6
  character(len=10), dimension(n) :: w = [character(len=10) :: 'delta', 'alpha', 'echo', 'bravo', 'foxtrot', 'charlie']
  integer :: order(n), i
  order = [(i, i=1,n)]
  call sort_index(w, order)
  print '(6a10)', w(order)
  print *, find(w(order), 'charlie'), find(w(order), 'zulu')
  print *, (len_trim(w(i)), i=1,n), maxval(len_trim(w)), w(maxloc(len_trim(w)))
  block
    character(len=maxval(len_trim(w))) :: longest
    longest = w(sum(maxloc(len_trim(w))))
    print *, '[', longest, ']', len(longest)
  end block
contains
  subroutine sort_index(a, idx)
    character(len=*), intent(in) :: a(:)
    integer, intent(inout) :: idx(:)
    integer :: i, j, t
    outer: do i = 2, size(idx)
      t = idx(i)
      do j = i - 1, 1, -1
        if (a(idx(j)) <= a(t)) then
          idx(j+1) = t
          cycle outer
        end if
        idx(j+1) = idx(j)
      end do
      idx(1) = t
    end do outer
  end subroutine
  pure function find(a, key) result(pos)
    character(len=*), intent(in) :: a(:), key
    integer :: pos, lo, hi, mid
    lo = 1; hi = size(a); pos = 0
    do while (lo <= hi)
      mid = (lo + hi)/2
      if (a(mid) == key) then
        pos = mid
        return
      else if (a(mid) < key) then
        lo = mid + 1
      else
        hi = mid - 1
      end if
    end do
  end function
end program
